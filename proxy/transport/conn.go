package transport

import (
	"errors"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// Conn is the socket side of a connection, to a client or to an upstream.
//
// gnet reads whether or not anyone consumes the bytes, and buffers what can't
// be written without bound. A Conn does neither: it writes to the descriptor
// itself and keeps what does not fit in its output, where it is counted, and
// it can pause reading, so that a peer is slowed down by TCP.
type Conn struct {
	Out Output

	loop     *Loop
	conn     gnet.Conn // nil before gnet has it, and once gnet has nothing to do with it any more
	fd       int
	written  *uint64 // counts the bytes
	turn     int     // how much of Out is written in one turn of the event loop, in bytes
	owner    Owner
	dirty    bool // in the loop's list of those to be flushed
	later    bool // it goes on being flushed when others have had their turn
	full     bool // the socket takes no more; the loop is told when it does
	watched  bool // the poller has it polled for writability
	paused   bool // reading is paused
	ended    bool // nothing is to be written or read any more
	detached bool // fd is its own, as gnet has closed another one of the same socket
}

// Owner is told about a Conn that it owns, on the loop.
type Owner interface {
	// Opened is called when the loop has taken c over. It may end it at once.
	Opened(c *Conn)
	// Read is given what has come, which is not valid for longer than the call.
	Read(data []byte)
	// Closed is called when the socket is about to be closed, unless it was the owner
	// that has ended the Conn. It may detach the Conn, and else has to end it. err is
	// io.EOF if the peer has closed its side.
	Closed(err error)
	// Drained is called after something has been written.
	Drained()
	// Broken is called once, when writing fails.
	Broken(err error)
}

// Init makes c ready to be enrolled with a loop. It is written turn bytes at most in one
// turn of the event loop. How many bytes have been written is added to written.
func (c *Conn) Init(l *Loop, turn int, written *uint64, owner Owner) {
	*c = Conn{Out: Output{Pool: l.pool}, loop: l, written: written, turn: turn, owner: owner}
}

// Attached reports whether gnet still reads the socket.
func (c *Conn) Attached() bool { return c.conn != nil }

// Peer returns the address at the other end, "" if it is not known.
func (c *Conn) Peer() string {
	if c.conn == nil || c.conn.RemoteAddr() == nil {
		return ""
	}
	return c.conn.RemoteAddr().String()
}

// Send asks for the output to be written when the current callback ends.
func (c *Conn) Send() {
	if c.Out.size > 0 && !c.dirty && !c.later && !c.full && !c.ended {
		c.dirty = true
		c.loop.dirty = append(c.loop.dirty, c)
	}
}

// flush writes as much of the output as the socket takes, or as its turn allows.
func (c *Conn) flush() {
	c.dirty = false
	written := 0
	for c.Out.size > 0 && !c.ended && !c.full {
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

// fail gives up writing.
func (c *Conn) fail(err error) {
	c.ended = true
	c.Out.Drop()
	c.owner.Broken(err)
}

// maxParts is how many buffers one system call writes.
const maxParts = 64

// write makes one attempt to write the output, and more behind it.
func (c *Conn) write(more []byte) (int, error) {
	switch {
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

// Pass writes p behind the output at once, without copying it, and queues a copy
// of what the socket does not take.
func (c *Conn) Pass(p []byte) {
	if !c.full && !c.ended {
		n, _ := c.write(p) // what goes wrong goes wrong again when the rest is written
		n = max(n, 0)
		*c.written += uint64(n)
		queued := min(n, c.Out.size)
		c.Out.advance(queued)
		p = p[n-queued:]
	}
	c.Out.Write(p)
	c.Send()
}

// writable is called when the socket takes more again.
func (c *Conn) writable() {
	c.full = false
	c.Send()
}

// ReadSize is how much gnet reads at once, in bytes. More is read at once only from
// upstreams, and of a client's large request: other input of a client may have to
// wait, and so much of it would be kept for each client.
const ReadSize = 64 << 10

// largeRead is how much is read from an upstream at once, in bytes, and so how much
// is passed on before the loop's other connections have a turn. Few system calls
// with much each cost least; more than a processor's cache holds gains nothing.
const largeRead = 1 << 20

// ReadOn is given what gnet has read from an upstream. If gnet's buffer was too
// small for what there is, ReadOn reads more behind it, and returns all of it in the
// loop's large buffer. If reading fails, gnet will find that out too.
func (c *Conn) ReadOn(data []byte) []byte {
	if len(data) < ReadSize {
		return data
	}
	if c.loop.large == nil {
		c.loop.large = make([]byte, largeRead)
	}
	have := copy(c.loop.large, data)
	n, _ := c.loop.poller.read(c, c.loop.large[have:])
	return c.loop.large[:have+max(n, 0)]
}

// Pause stops reading, for as long as gnet can be told to.
func (c *Conn) Pause() {
	if !c.paused && c.conn != nil {
		c.paused = c.loop.poller.pause(c)
	}
}

// Resume undoes Pause.
func (c *Conn) Resume() {
	if c.paused && c.conn != nil {
		c.loop.poller.resume(c)
	}
	c.paused = false
}

// Read reads what there is, as much as p holds, and returns how much it was. If reading
// fails, gnet will find that out too.
func (c *Conn) Read(p []byte) int {
	n, _ := c.loop.poller.read(c, p)
	return max(n, 0)
}

// Unread returns how much of what has been written the peer has not taken yet, in bytes.
func (c *Conn) Unread() int { return c.loop.poller.unread(c) }

// Unconfirmed returns how many of the bytes written the machine at the other end has not
// confirmed: they may still wait in this one. Of a socket without that notion, it is 0.
func (c *Conn) Unconfirmed() int { return c.loop.poller.unconfirmed(c) }

// CloseWrite tells the peer that nothing more will come.
func (c *Conn) CloseWrite() { _ = unix.Shutdown(c.fd, unix.SHUT_WR) }

// Detach has c live on with a descriptor of its own when the socket is about to be closed:
// it can be written to, and not read any more.
func (c *Conn) Detach() error {
	c.loop.poller.forget(c)
	fd, err := c.loop.poller.duplicate(c)
	if err == nil {
		c.fd, c.conn, c.full, c.paused, c.detached = fd, nil, false, false, true
	}
	return err
}

// End lets go of the output and closes the socket, unless gnet does that by itself.
func (c *Conn) End() {
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
