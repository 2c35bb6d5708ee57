package reply

import (
	"bytes"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
)

// A client whose first byte is [binary.Magic] speaks memcached's binary protocol. Another parser
// parses its packets. The replies to it are made in the text protocol, and each is converted to a
// packet when it is sent.

// Packets is what a client of the binary protocol has in addition.
type Packets struct {
	Parser  binary.Parser
	Next    binary.Form // of the request that is being dispatched
	NextKey []byte      // its key, if the form needs it
	bundled []byte      // the keys of that request, if it was made of several packets; otherwise empty

	forms   fifo[outstanding] // of the outstanding replies
	keys    fifo[byte]        // keys of the outstanding replies that need one, in their order
	Account *memory.Account   // counts both, and the parser's buffers
	counted int               // bytes
	begun   bool              // a part of the first reply has been sent
	rest    int               // bytes of its value that have not been sent
	since   uint32            // the number of the first reply of the multi-get
	Spoiled bool              // an error was sent for one of its quiet gets
}

// outstanding is the form of a reply that is outstanding, or of a part of one.
type outstanding struct {
	binary.Form
	key  uint8 // its length in bytes
	more bool  // the next form belongs to the same reply, to a bundle of packets
}

const outstandingSize = int(unsafe.Sizeof(outstanding{}))

// Parse reads a request from the start of data.
func (b *Packets) Parse(data []byte, req *protocol.Request) (n int, status protocol.Status) {
	n, status = b.Parser.Next(data, req, &b.Next)
	if b.forgetNext(); status == protocol.Ready {
		b.keepKey(req)
	}
	return n, status
}

// GiveUp refuses the request whose start is data; see [binary.Parser.GiveUp].
func (b *Packets) GiveUp(data []byte, req *protocol.Request) (n int, ok bool) {
	b.Next = binary.Form{} // the header may be incomplete, so the answer must not have the form of another request
	n, ok = b.Parser.GiveUp(data, req, &b.Next)
	if b.forgetNext(); ok {
		b.keepKey(req)
	}
	return n, ok
}

// forgetNext forgets the keys of the last request.
func (b *Packets) forgetNext() { b.NextKey, b.bundled = b.NextKey[:0], nil }

// keepKey keeps what the answer to req needs of its keys.
func (b *Packets) keepKey(req *protocol.Request) {
	if len(b.Parser.Bundled) > 0 {
		b.bundled = req.Words // in a buffer of the parser
		return
	}
	if b.Next.Keyed() {
		b.NextKey = append(b.NextKey, req.Key...)
	}
}

// reserve adds the form of the next reply.
func (b *Packets) reserve() {
	if len(b.bundled) > 0 {
		b.reserveBundle()
	} else {
		b.forms.push(outstanding{b.Next, uint8(len(b.NextKey)), false})
		b.keys.push(b.NextKey...)
	}
	b.count()
}

// count counts the memory of the queues and of the parser, which may have changed.
func (b *Packets) count() {
	b.Account.Recount(&b.counted, b.memory())
}

// reserveBundle adds the forms of the reply to a bundle, with all keys.
func (b *Packets) reserveBundle() {
	f, words := b.Next, b.bundled
	for i := 0; ; i++ {
		var key []byte
		key, words = protocol.NextWord(words)
		more := i < len(b.Parser.Bundled)
		b.forms.push(outstanding{f, uint8(len(key)), more})
		b.keys.push(key...)
		if !more {
			return
		}
		f = b.Parser.Bundled[i]
	}
}

// front returns the form of the first outstanding reply, and its key.
func (b *Packets) front() (f binary.Form, key []byte) {
	first := b.forms.rest()[0]
	return first.Form, b.keys.rest()[:first.key]
}

// pop removes the form of the first reply.
func (b *Packets) pop() {
	for more := true; more; {
		first := b.forms.rest()[0]
		b.keys.drop(int(first.key))
		b.forms.drop(1)
		more = first.more
	}
	b.begun, b.rest = false, 0
}

// keptForms is how many bytes of memory the queues keep while they are empty: enough for a multi-get
// of some 100 keys, which is a packet for each key.
const keptForms = 4 << 10

// trim frees the memory of the queues, which are empty, if that is much.
func (b *Packets) trim() {
	if b.queued() > keptForms {
		b.forms, b.keys = fifo[outstanding]{}, fifo[byte]{}
		b.count()
	}
}

// Shed frees all memory. It may be called only if no reply is outstanding and no request waits.
func (b *Packets) Shed() {
	b.forms, b.keys = fifo[outstanding]{}, fifo[byte]{}
	b.Parser.Shed()
	b.forgetNext()
	b.count()
}

// queued returns the memory of the queues, in bytes.
func (b *Packets) queued() int {
	return cap(b.keys.list) + cap(b.forms.list)*outstandingSize
}

// memory returns the memory of the queues and of the parser, in bytes.
func (b *Packets) memory() int { return b.queued() + b.Parser.Memory() }

// value is the beginning of a reply with a value, VALUE or VA.
var value = []byte("VA")

// send sends the first reply, unless its parts have been sent. It reports whether it has taken
// over the buffer of reply, which it may do if owned is set.
func (b *Packets) send(reply []byte, owned bool, out *transport.Output) (taken bool) {
	defer b.pop()
	if b.begun {
		return false
	}
	if b.forms.rest()[0].more {
		b.sendBundle(reply, out)
		return false
	}
	f, key := b.front()
	if owned && len(reply) >= transport.OwnBuffer && bytes.HasPrefix(reply, value) {
		from, size := b.begin(reply, out)
		out.Own(reply[:from+size], from)
		return true
	}
	out.Extend(f.Append(out.Room(f.Size(reply, key)), reply, key))
	return false
}

// end is the reply to a retrieval without values, and the end of one with some.
var end = []byte("END\r\n")

// sendBundle sends the first reply, to a bundle, as the replies to its packets. The reply has values
// for some of the keys, in their order, or is an error for all of them.
func (b *Packets) sendBundle(reply []byte, out *transport.Output) {
	failed := !bytes.HasPrefix(reply, value) && !bytes.HasPrefix(reply, end)
	keys := b.keys.rest()
	for _, f := range b.forms.rest() {
		key, one := keys[:f.key], reply
		keys = keys[f.key:]
		if !failed {
			n := protocol.CutValue(reply, key)
			one, reply = reply[:n], reply[n:]
			if n == 0 {
				one = end
			}
		}
		out.Extend(f.Append(out.Room(f.Size(one, key)), one, key))
		if !f.more {
			return
		}
	}
}

// begin sends the first reply, a value, up to the value, which is piece[from:from+size] and may
// continue after piece.
func (b *Packets) begin(piece []byte, out *transport.Output) (from, size int) {
	f, key := b.front()
	begun, from, size := f.Begin(out.Room(f.Size(nil, key)), piece, key)
	out.Extend(begun)
	return from, size
}

// Part sends what precedes the value, if piece is the first part of the first reply, and returns
// what piece has of the value.
func (b *Packets) Part(piece []byte, out *transport.Output) []byte {
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

// BeginMultiget begins to look for errors, from reply n on.
func (b *Packets) BeginMultiget(n uint32) { b.since, b.Spoiled = n, false }

// failed notes that the first outstanding reply, number n, is an error.
func (b *Packets) failed(n uint32) {
	if f, _ := b.front(); f.QuietGet() && int32(n-b.since) >= 0 {
		b.Spoiled = true
	}
}
