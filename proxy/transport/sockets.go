package transport

// sockets are the Conns of a loop whose sockets gnet has, by descriptor.
type sockets []*Conn

// socketsStep is by how many the table grows at a time, at least: descriptors are numbered in the order of connecting.
const socketsStep = 1024

// add has at return c.
func (s *sockets) add(fd int, c *Conn) {
	if fd >= len(*s) {
		grown := make(sockets, (fd/socketsStep+1)*socketsStep)
		copy(grown, *s)
		*s = grown
	}
	(*s)[fd] = c
}

// remove has at return nil.
func (s sockets) remove(fd int) {
	if fd < len(s) {
		s[fd] = nil
	}
}

// at returns the Conn with that descriptor, or nil.
func (s sockets) at(fd int) *Conn {
	if fd >= len(s) {
		return nil
	}
	return s[fd]
}
