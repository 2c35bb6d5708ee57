package embedded

import (
	"bufio"
	"net"

	"github.com/memverbs/memverbs/protocol"
)

// Sizes of a connection's buffers, in bytes. The input buffer grows for a larger
// request, and shrinks after it.
const (
	inputSize  = 32 << 10
	outputSize = 32 << 10
)

// conn is the store's end of a connection. The slices are reused from request to
// request.
type conn struct {
	store  *Store
	net    net.Conn
	in     []byte // in[:unused] has been read and not parsed yet
	unused int
	out    *bufio.Writer

	parser  protocol.Parser
	request protocol.Request
	reply   []byte // the line to answer with
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

// say answers with one line.
func (c *conn) say(line string) {
	c.reply = append(c.reply[:0], line...)
	c.send(nil)
}

// send answers with the line in c.reply, followed by a data block unless data is nil.
// It sends nothing if the request silences that reply.
func (c *conn) send(data []byte) {
	if c.request.Silences(c.reply) {
		return
	}
	c.reply = append(c.reply, "\r\n"...)
	if r := c.request.KeyReturn; r != nil {
		c.reply = r.AppendTo(nil, c.reply, c.request.Key)
	}
	c.out.Write(c.reply)
	if data != nil {
		c.out.Write(data)
		c.out.WriteString("\r\n")
	}
}

// memcached's errors for requests that it can't carry out.
const (
	errUnknown  = "ERROR"
	errNumber   = "CLIENT_ERROR cannot increment or decrement non-numeric value"
	errTooLarge = "SERVER_ERROR object too large for cache"
)
