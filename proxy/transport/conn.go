package transport

import (
	"cmp"
	"errors"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// Conn is the socket of a connection to a client or an upstream.
//
// gnet reads even if the bytes are not consumed, and buffers unwritten output without
// limit. A Conn avoids both: it writes to the descriptor itself and keeps the rest in
// its output, where the memory is counted; and it can pause reading, so that TCP slows
// the peer down.
type Conn struct {
	Out Output

	loop     *Loop
	conn     gnet.Conn // nil before gnet has the connection, and after gnet has closed it
	fd       int
	written  *uint64 // counts the bytes written
	turn     int     // bytes of Out to write in one turn of the event loop, at most
	owner    Owner
	secure   *secured // nil without TLS
	dirty    bool     // in loop.dirty
	later    bool     // in loop.later, as there is more than may be written in one turn
	gathers  bool     // in loop.later, as more may come in this turn
	full     bool     // the socket accepts no more now; the poller reports when it does
	watched  bool     // registered in the poller for writability
	paused   bool     // reading is paused
	ended    bool     // nothing may be written or read any more
	detached bool     // fd is a duplicate, since gnet has closed its own
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
	// Drained is called after output has been written.
	Drained()
	// Broken is called once, when writing fails. err is a [secure.Error] if the peer has said by
	// TLS why.
	Broken(err error)
}

// Init prepares c for [Loop.Enroll]. At most turn bytes are written in one turn of the
// event loop. *written is increased by the bytes written.
func (c *Conn) Init(l *Loop, turn int, written *uint64, owner Owner) {
	*c = Conn{Out: Output{Pool: l.pool}, loop: l, written: written, turn: turn, owner: owner}
}

// Attached reports whether gnet still reads the socket.
func (c *Conn) Attached() bool { return c.conn != nil }

// Peer returns the address of the peer, "" if it is unknown.
func (c *Conn) Peer() string {
	if c.conn == nil || c.conn.RemoteAddr() == nil {
		return ""
	}
	return c.conn.RemoteAddr().String()
}

// Secured reports whether the connection speaks TLS.
func (c *Conn) Secured() bool { return c.secure != nil }

// owes reports whether something is to be written.
func (c *Conn) owes() bool { return c.Out.size > 0 || c.secure != nil && c.secure.sealed.size > 0 }

// Memory returns the memory of the output, and of TLS, in bytes.
func (c *Conn) Memory() int {
	n := c.Out.Memory()
	if c.secure != nil {
		n += c.secure.sealed.Memory() + c.secure.counted
	}
	return n
}

// Send marks the output to be written when the current callback ends.
func (c *Conn) Send() {
	if c.owes() && !c.dirty && !c.later && !c.full && !c.ended {
		c.dirty = true
		c.loop.dirty = append(c.loop.dirty, c)
	}
}

// SendLater marks the output to be written at the end of the loop's turn, together with what is
// added to it until then. Much output is written when the current callback ends.
func (c *Conn) SendLater() {
	switch {
	case c.Out.size >= OwnBuffer:
		c.Send()
	case c.owes() && !c.gathers && !c.dirty && !c.later && !c.full && !c.ended:
		c.gathers = true
		c.loop.atEndOfTurn(c)
	}
}

// flush writes as much of the output as the socket accepts and the turn allows.
func (c *Conn) flush() {
	c.dirty = false
	written := 0
	for c.owes() && !c.ended && !c.full {
		if written >= c.turn {
			c.loop.writeLater(c)
			break
		}
		n, err := c.write(nil)
		switch {
		case err == nil:
			c.Out.advance(n)
			written += n
			*c.written += uint64(n)
		case errors.Is(err, unix.EAGAIN):
			c.full = true
			c.loop.poller.awaitWritable(c)
		case errors.Is(err, unix.EINTR):
		default:
			c.fail(err)
			return
		}
	}
	if !c.ended {
		c.owner.Drained()
	}
}

// fail ends the Conn after a failed write.
func (c *Conn) fail(err error) {
	if c.secure != nil {
		err = cmp.Or(c.secure.lastWords(c), err)
	}
	c.ended = true
	c.Out.Drop()
	c.owner.Broken(err)
}

// maxParts is how many buffers one system call writes at most.
const maxParts = 64

// write makes one attempt to write the output, followed by more.
func (c *Conn) write(more []byte) (int, error) {
	switch {
	case c.secure != nil:
		return c.secure.write(c)
	case len(c.Out.parts) == 0:
		return c.loop.poller.write(c, more)
	case len(c.Out.parts) == 1 && len(more) == 0:
		rest := c.Out.parts[0].rest()
		return c.loop.poller.write(c, rest[:min(len(rest), c.turn)])
	}
	var parts [maxParts][]byte
	n, size := 0, 0
	for ; n < min(maxParts, len(c.Out.parts)) && size < c.turn; n++ {
		rest := c.Out.parts[n].rest()
		parts[n] = rest[:min(len(rest), c.turn-size)]
		size += len(parts[n])
	}
	if len(more) > 0 && size == c.Out.size && n < maxParts {
		parts[n] = more
		n++
	}
	return c.loop.poller.writev(c, parts[:n])
}

// Pass writes the output and then p at once, without copying p, and queues a copy of
// what the socket does not accept of p.
func (c *Conn) Pass(p []byte) {
	if c.secure != nil {
		c.secure.pass(c, p)
		return
	}
	if !c.full && !c.ended {
		n, _ := c.write(p) // an error will occur again when the rest is written
		n = max(n, 0)
		*c.written += uint64(n)
		queued := min(n, c.Out.size)
		c.Out.advance(queued)
		p = p[n-queued:]
	}
	c.Out.Write(p)
	c.Send()
}

// writable is called when the socket accepts more again.
func (c *Conn) writable() {
	c.full = false
	c.Send()
}

// ReadSize is how much gnet reads at once, in bytes. Only upstreams and a client's
// large request are read in larger amounts: other input of a client may have to wait,
// and is then kept in memory for each client.
const ReadSize = 64 << 10

// largeRead is how much is read from an upstream at once, in bytes, and so how much is
// handled before the loop's other connections have their turn. A few large system calls
// cost least, but exceeding the processor's cache gains nothing.
const largeRead = 1 << 20

// ReadOn continues a read from an upstream. If data, which gnet has read, fills gnet's
// buffer, ReadOn reads more and returns everything in the loop's large buffer. It
// ignores errors, because gnet will encounter them too. With TLS it returns data, since
// deciphering costs more than the system calls that it saves.
func (c *Conn) ReadOn(data []byte) []byte {
	if len(data) < ReadSize || c.secure != nil {
		return data
	}
	if c.loop.large == nil {
		c.loop.large = make([]byte, largeRead)
	}
	have := copy(c.loop.large, data)
	n, _ := c.loop.poller.read(c, c.loop.large[have:])
	return c.loop.large[:have+max(n, 0)]
}

// Pause stops reading, if the poller can and gnet still has the connection.
func (c *Conn) Pause() {
	if !c.paused && c.conn != nil {
		c.paused = c.loop.poller.pause(c)
	}
}

// Resume continues reading after Pause.
func (c *Conn) Resume() {
	if c.paused && c.conn != nil {
		c.loop.poller.resume(c)
	}
	c.paused = false
}

// Read reads what has arrived into p and returns the number of bytes. It ignores
// errors, because gnet will encounter them too. With TLS it reads nothing, like ReadOn.
func (c *Conn) Read(p []byte) int {
	if c.secure != nil {
		return 0
	}
	n, _ := c.loop.poller.read(c, p)
	return max(n, 0)
}

// Unread returns how many of the bytes written are still in the socket's queue.
func (c *Conn) Unread() int {
	n := c.loop.poller.unread(c)
	if c.secure != nil {
		n += c.secure.sealed.size
	}
	return n
}

// Unconfirmed returns how many of the bytes written the peer's machine has not
// acknowledged. It is 0 for sockets without acknowledgements, and negative if the machine has also
// acknowledged some of the output, as TLS counts that as written piece by piece.
func (c *Conn) Unconfirmed() int {
	n := c.loop.poller.unconfirmed(c)
	if c.secure != nil {
		n = c.secure.unconfirmed(n)
	}
	return n
}

// Unheard returns how many bytes have arrived that Read was not called with yet. With TLS, a part of
// a record counts as one.
func (c *Conn) Unheard() int {
	n := c.loop.poller.unheard(c)
	if c.secure != nil && c.secure.session.Partial() {
		n++
	}
	return n
}

// CloseWrite tells the peer that nothing more will be sent.
func (c *Conn) CloseWrite() {
	if c.secure != nil {
		c.secure.closeWrite(c)
		return
	}
	_ = unix.Shutdown(c.fd, unix.SHUT_WR)
}

// Detach keeps c alive with a duplicate descriptor when gnet is about to close the socket.
// c can then be written to, but not read any more.
func (c *Conn) Detach() error {
	c.loop.poller.forget(c)
	fd, err := c.loop.poller.duplicate(c)
	if err == nil {
		c.fd, c.conn, c.full, c.paused, c.detached = fd, nil, false, false, true
	}
	return err
}

// End drops the output and closes the socket, unless gnet is closing it.
func (c *Conn) End() {
	if c.secure != nil {
		c.secure.end(c)
	}
	c.ended = true
	c.Out.Drop()
	c.loop.poller.forget(c)
	conn := c.conn
	c.conn = nil
	switch {
	case c.detached:
		c.detached = false
		_ = unix.Close(c.fd)
	case conn != nil:
		_ = c.loop.events.Close(conn)
	}
}
