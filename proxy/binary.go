package proxy

import (
	"bytes"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
)

// A client whose first byte is [binary.Magic] speaks memcached's binary protocol. Its packets are
// parsed by another parser, and each of its replies, which come in the words of the text
// protocol, is made a packet at the moment when it is its turn to be sent.

// binaryClient is what a client needs besides to speak the binary protocol.
type binaryClient struct {
	parser  binary.Parser
	next    binary.Form // of the request that is being dispatched
	nextKey []byte      // its key, if the form needs it

	forms   fifo[outstanding] // of the outstanding replies
	keys    fifo[byte]        // of those that need them, in this order
	account *memory.Account   // counts both
	begun   bool              // a part of the first reply has been sent
	rest    int               // bytes of its value that have not been sent
}

// outstanding is the form of a reply that is outstanding, and the length of its key in bytes.
type outstanding struct {
	binary.Form
	key uint8
}

const outstandingSize = int(unsafe.Sizeof(outstanding{}))

// recognize sets the protocol of a client by the first byte that it has sent.
func (c *client) recognize(first byte) {
	c.known = true
	if first != binary.Magic {
		return
	}
	c.binary = &binaryClient{account: &c.loop.account}
	c.replies.binary = c.binary
}

// parse reads a request from the start of data.
func (b *binaryClient) parse(data []byte, req *protocol.Request) (n int, status protocol.Status) {
	n, status = b.parser.Next(data, req, &b.next)
	b.keepKey(req)
	return n, status
}

// giveUp refuses the request whose start is data; see [binary.Parser.GiveUp].
func (b *binaryClient) giveUp(data []byte, req *protocol.Request) (n int, ok bool) {
	n, ok = b.parser.GiveUp(data, req, &b.next)
	b.keepKey(req)
	return n, ok
}

func (b *binaryClient) keepKey(req *protocol.Request) {
	b.nextKey = b.nextKey[:0]
	if b.next.Keyed() {
		b.nextKey = append(b.nextKey, req.Key...)
	}
}

// reserve adds the form of the next reply.
func (b *binaryClient) reserve() {
	before := b.memory()
	b.forms.push(outstanding{b.next, uint8(len(b.nextKey))})
	b.keys.push(b.nextKey...)
	b.account.Take(b.memory() - before)
}

// front returns the form of the first outstanding reply, and its key.
func (b *binaryClient) front() (f binary.Form, key []byte) {
	first := b.forms.rest()[0]
	return first.Form, b.keys.rest()[:first.key]
}

// pop removes the form of the first reply.
func (b *binaryClient) pop() {
	b.keys.drop(int(b.forms.rest()[0].key))
	b.forms.drop(1)
	b.begun, b.rest = false, 0
}

// keptForms is how many bytes of memory the queues keep while they are empty: enough for a multi-get
// of some 100 keys, which is a packet for each key.
const keptForms = 4 << 10

// trim frees the memory of the queues, which are empty, if that is much.
func (b *binaryClient) trim() {
	if b.memory() > keptForms {
		b.forget()
	}
}

// forget frees the memory of the queues, whether they are empty or not.
func (b *binaryClient) forget() {
	b.account.Give(b.memory())
	b.forms, b.keys = fifo[outstanding]{}, fifo[byte]{}
}

// memory returns the memory of the queues, in bytes.
func (b *binaryClient) memory() int {
	return cap(b.keys.list) + cap(b.forms.list)*outstandingSize
}

// metaValue is how a reply with a value begins.
var metaValue = []byte("VA ")

// send sends the first reply, unless its parts have been sent. It reports whether it has taken
// over the buffer of reply, which it may do if owned is set.
func (b *binaryClient) send(reply []byte, owned bool, out *transport.Output) (taken bool) {
	defer b.pop()
	if b.begun {
		return false
	}
	f, key := b.front()
	if owned && len(reply) >= transport.OwnBuffer && bytes.HasPrefix(reply, metaValue) {
		from, size := b.begin(reply, out)
		out.Own(reply[:from+size], from)
		return true
	}
	out.Extend(f.Append(out.Room(f.Size(reply, key)), reply, key))
	return false
}

// begin sends the first reply, a value, up to the value, which is piece[from:from+size] and may
// continue after piece.
func (b *binaryClient) begin(piece []byte, out *transport.Output) (from, size int) {
	f, key := b.front()
	begun, from, size := f.Begin(out.Room(f.Size(nil, key)), piece, key)
	out.Extend(begun)
	return from, size
}

// part sends what precedes the value, if piece is the first part of the first reply, and returns
// what piece has of the value.
func (b *binaryClient) part(piece []byte, out *transport.Output) []byte {
	if !b.begun {
		b.begun = true
		var from int
		from, b.rest = b.begin(piece, out)
		piece = piece[from:]
	}
	piece = piece[:min(len(piece), b.rest)]
	b.rest -= len(piece)
	return piece
}
