package transport

import "golang.org/x/sys/unix"

// Moves reports whether bytes that another Conn has received can be moved to c, which then writes
// them at once: nothing else is to be written, there is no TLS, and the system has a pipe for that.
func (c *Conn) Moves() bool {
	return c.secure == nil && c.Out.Size() == 0 && c.schedule.accepts() && c.loop.pipe.make()
}

// Move moves at most n bytes that have arrived to another Conn, without copying them, and returns how
// many. What the socket of to does not accept is queued in its output. It may be called only if to.Moves and
// c has no TLS. It ignores errors of c, because the next read will encounter them too.
func (c *Conn) Move(to *Conn, n int) int {
	given, accepted := c.loop.pipe.move(c.fd, to.fd, n)
	to.owner.Wrote(accepted)
	if given > accepted {
		to.queue(&c.loop.pipe, given-accepted)
	}
	return given
}

// mostQueued is the size of the buffers into which a pipe is emptied, in bytes.
const mostQueued = 256 << 10

// queue queues the n bytes that are left in the pipe.
func (c *Conn) queue(from *pipe, n int) {
	for n > 0 {
		room := c.Out.Room(min(n, mostQueued))
		got, err := from.read(room[len(room):min(cap(room), len(room)+n)])
		if err != nil || got <= 0 {
			from.close()
			c.fail(unix.EPIPE) // bytes are lost, so nothing may be written after what was
			return
		}
		c.Out.Extend(room[:len(room)+got])
		n -= got
	}
	c.Send()
}
