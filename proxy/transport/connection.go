package transport

import "github.com/panjf2000/gnet/v2"

// Conn is the socket of a connection to a client or an upstream.
//
// gnet reads even if the bytes are not consumed, and buffers unwritten output without limit. A Conn
// avoids both: it writes to the descriptor itself and keeps the rest in its output, whose memory is
// counted; and it can pause reading, so that TCP slows the peer down.
type Conn struct {
	Out Output
	handle

	loop     *Loop
	life     life     // whether gnet has the socket
	schedule schedule // when Out is written
	watched  bool     // registered in the poller for writability
	perTurn  int32    // how many bytes of Out are written in one turn of the event loop, at most
	owner    Owner
	secure   *secured // nil without TLS
}

// Owner is notified of the events of its Conn, on the loop.
type Owner interface {
	// Opened is called when the loop has enrolled c. It may end c at once.
	Opened(c *Conn)
	// Read receives data, which is valid only during the call.
	Read(data []byte)
	// Closed is called when the socket is about to be closed, unless the owner has
	// ended the Conn. It must detach or end the Conn. err is io.EOF if the peer has
	// closed its side, and a [secure.Error] if TLS has failed.
	Closed(err error)
	// Wrote is called when n bytes of output have been written.
	Wrote(n int)
	// Drained is called after that, once for all that was written at a time.
	Drained()
	// Broken is called once, when writing fails. err is a [secure.Error] if the peer has said by
	// TLS why.
	Broken(err error)
}

// Init prepares c for [Loop.Enroll]. At most perTurn bytes are written in one turn of the
// event loop.
func (c *Conn) Init(l *Loop, perTurn int32, owner Owner) {
	*c = Conn{Out: Output{Buffers: l.buffers}, loop: l, perTurn: perTurn, owner: owner}
}

// Attached reports whether gnet still has the socket.
func (c *Conn) Attached() bool { return c.life.attached() }

// receives reports whether what is read is passed to the owner.
func (c *Conn) receives() bool { return c.life.attached() && c.schedule != over }

// opened is called when gnet has the socket.
func (c *Conn) opened(conn gnet.Conn) {
	c.conn, c.fd, c.life = conn, conn.Fd(), c.life.opened()
	c.loop.sockets.add(c.fd, c)
}

// released is called when gnet is about to close the socket.
func (c *Conn) released() {
	c.loop.sockets.remove(c.fd)
	c.conn, c.life = nil, c.life.released()
}

// receive passes on what was read from the socket, and reports whether the socket is to be closed.
func (c *Conn) receive(data []byte) (closes bool) {
	if c.secure != nil {
		return c.secure.receive(c, data)
	}
	c.owner.Read(data)
	return false
}

// Pause stops reading, if the poller can and gnet still has the connection.
func (c *Conn) Pause() {
	if next := c.life.paused(); next != c.life && c.loop.poller.pause(c.fd) {
		c.life = next
	}
}

// Resume continues reading after Pause.
func (c *Conn) Resume() {
	if next := c.life.resumed(); next != c.life {
		c.loop.poller.resume(c.fd)
		c.life = next
	}
}

// Peer returns the address of the peer, "" if it is unknown.
func (c *Conn) Peer() string {
	if c.conn == nil || c.conn.RemoteAddr() == nil {
		return ""
	}
	return c.conn.RemoteAddr().String()
}

// Secured reports whether the connection speaks TLS.
func (c *Conn) Secured() bool { return c.secure != nil }

// Memory returns the memory of the output, and of TLS, in bytes.
func (c *Conn) Memory() int {
	n := c.Out.Memory()
	if c.secure != nil {
		n += c.secure.sealed.Memory() + c.secure.counted
	}
	return n
}

// ReadSize is how much is read from a socket at once, in bytes. Only upstreams and a client's large request
// are read in larger amounts. Other input of a client is not, since it may have to wait, and then
// takes memory for each client.
const ReadSize = 64 << 10

// largeRead is how much is read from an upstream at once, in bytes, and so how much is handled
// before the loop's other connections. A few large system calls cost least, but exceeding the
// processor's cache gains nothing.
const largeRead = 1 << 20

// ReadOn continues a read from an upstream that has filled the buffer. It reads more and returns it
// behind data in the loop's large buffer. It ignores errors, because the next read will encounter them too. With
// TLS it returns data, since deciphering costs more than the system calls that it saves.
func (c *Conn) ReadOn(data []byte) []byte {
	if c.secure != nil {
		return data
	}
	if c.loop.large == nil {
		c.loop.large = make([]byte, largeRead)
	}
	have := copy(c.loop.large, data)
	n, _ := c.loop.poller.read(c.fd, c.loop.large[have:])
	return c.loop.large[:have+max(n, 0)]
}

// Read reads what has arrived into p and returns the number of bytes. It ignores
// errors, because the next read will encounter them too. With TLS it reads nothing, like ReadOn.
func (c *Conn) Read(p []byte) int {
	if c.secure != nil {
		return 0
	}
	n, _ := c.loop.poller.read(c.fd, p)
	return max(n, 0)
}

// Undelivered returns how many of the bytes written are still in the socket's queue.
func (c *Conn) Undelivered() int {
	n := c.loop.poller.undelivered(c.fd)
	if c.secure != nil {
		n += c.secure.sealed.Size()
	}
	return n
}

// Unreceived returns how many bytes have arrived that were not passed to Read yet. With TLS, a part of
// a record counts as one byte.
func (c *Conn) Unreceived() int {
	n := c.loop.poller.unreceived(c.fd)
	if c.secure != nil && c.secure.session.Partial() {
		n++
	}
	return n
}
