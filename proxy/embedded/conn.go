package embedded

import (
	"bufio"
	"net"

	"github.com/memverbs/memverbs/protocol"
)

// Sizes of a connection's buffers, in bytes. The input grows for a request
// that needs more room, and shrinks again behind it.
const (
	inputSize  = 32 << 10
	outputSize = 32 << 10
)

// conn is the store's end of a connection and what is under way on it. The
// slices are reused from request to request.
type conn struct {
	store  *Store
	net    net.Conn
	in     []byte // in[:unused] has been read from net and not been used
	unused int
	out    *bufio.Writer

	parser  protocol.Parser
	request protocol.Request
	reply   []byte // the line with which to answer
}

func newConn(s *Store, end net.Conn) *conn {
	return &conn{
		store:  s,
		net:    end,
		in:     make([]byte, inputSize),
		out:    bufio.NewWriterSize(end, outputSize),
		parser: protocol.Parser{MaxData: s.maxItem},
	}
}

// serve answers requests until either side hangs up. What was answered is sent
// when no whole request is left in the input.
func (c *conn) serve() {
	for {
		n, err := c.net.Read(c.in[c.unused:])
		c.unused += n
		open := c.carryOutAll()
		if c.out.Flush() != nil || err != nil || !open {
			return
		}
	}
}

// carryOutAll carries out the requests that the input holds and makes room for
// more. It reports whether the client still wants the connection.
func (c *conn) carryOutAll() (open bool) {
	used := 0
	for {
		n, status := c.parser.Next(c.in[used:c.unused], &c.request)
		used += n
		switch {
		case status == protocol.Partial:
			c.makeRoom(used)
			return true
		case status == protocol.Broken:
			c.say(c.request.Refusal)
			return false
		case c.request.Command == protocol.Quit:
			return false
		}
		c.carryOut()
	}
}

// makeRoom drops what has been used from the input and sees to it that more
// can be read. The parser bounds how much it leaves there.
func (c *conn) makeRoom(used int) {
	rest := c.in[used:c.unused]
	size := max(inputSize, c.parser.Need)
	for size <= len(rest) {
		size *= 2
	}
	if size != len(c.in) {
		c.in = make([]byte, size)
	}
	c.unused = copy(c.in, rest)
}
