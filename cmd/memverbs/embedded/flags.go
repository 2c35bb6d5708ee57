package embedded

import (
	"encoding/base64"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// flags are the flags of a meta command. All commands accept all flags and use those
// that they know.
type flags struct {
	request *protocol.Request

	expires       int64 // T
	createExpires int64 // N
	recache       int64 // R: an item that expires before this should be renewed
	clientFlags   uint32
	cas           uint64 // C
	newCAS        uint64 // E
	initial       uint64 // J
	amount        uint64 // D
}

func (f *flags) has(letter byte) bool { return f.request.HasFlag(letter) }

// metaFlags reads the values of the flags of c's request. The parser has checked them.
func (c *conn) metaFlags() flags {
	f := flags{request: &c.request, amount: 1}
	for flag := range c.request.MetaFlags() {
		value := flag[1:]
		switch flag[0] {
		case 'T':
			f.expires = c.expiry(value)
		case 'N':
			f.createExpires = c.expiry(value)
		case 'R':
			f.recache = c.expiry(value)
		case 'C':
			f.cas, _ = protocol.ParseUint(value)
		case 'E':
			f.newCAS, _ = protocol.ParseUint(value)
		case 'F':
			n, _ := protocol.ParseUint(value)
			f.clientFlags = uint32(n)
		case 'J':
			f.initial, _ = protocol.ParseUint(value)
		case 'D':
			f.amount, _ = protocol.ParseUint(value)
		}
	}
	return f
}

func (c *conn) expiry(value []byte) int64 {
	seconds, _ := protocol.ParseInt(value)
	return c.store.expiry(seconds)
}

// code starts the reply to a meta command.
func (c *conn) code(code string) { c.reply = append(c.reply[:0], code...) }

// hit starts the reply to a meta command that has found its item, whose value, of so many bytes, is shown if the client
// wants it.
func (c *conn) hit(f *flags, size int) {
	c.code("HD")
	if f.has('v') {
		c.code("VA ")
		c.reply = strconv.AppendInt(c.reply, int64(size), 10)
	}
}

// number appends a flag and a number to the reply.
func (c *conn) number(letter byte, n uint64) {
	c.reply = strconv.AppendUint(append(c.reply, ' ', letter), n, 10)
}

// echo appends O or k to the reply, which return the same whatever the outcome. If
// encoded is set, the key is shown in base64.
func (c *conn) echo(word []byte, encoded bool) {
	switch word[0] {
	case 'O':
		c.reply = append(c.reply, ' ')
		c.reply = append(c.reply, word...)
	case 'k':
		c.reply = append(c.reply, " k"...)
		if !encoded {
			c.reply = append(c.reply, c.request.Key...)
			return
		}
		c.reply = base64.StdEncoding.AppendEncode(c.reply, c.request.Key)
		c.reply = append(c.reply, " b"...)
	}
}

// finish sends a reply of just the code, O and k.
func (c *conn) finish(code string, f *flags) {
	c.code(code)
	for word := range f.request.MetaFlags() {
		c.echo(word, f.has('b'))
	}
	c.send(nil)
}
