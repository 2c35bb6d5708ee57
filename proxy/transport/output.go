package transport

import "github.com/memverbs/memverbs/proxy/memory"

// OwnBuffer is the size, in bytes, from which a message is queued in its own buffer
// instead of being copied into a shared one.
const OwnBuffer = 16 << 10

// The minimum sizes of a buffer for copied messages, in bytes. The first buffer is for a single short
// reply: thousands of clients may get one in the same turn.
const (
	firstBuffer  = 512
	outputBuffer = 4 << 10
)

// Output is the queue of bytes to be written to a socket.
type Output struct {
	Pool  *memory.Pool
	parts []part
	size  int // bytes to be written
}

// part is a buffer of the pool, of which buf[from:] is to be written.
type part struct {
	buf  []byte
	from int
}

func (p *part) rest() []byte { return p.buf[p.from:] }

// Size returns how many bytes are to be written.
func (o *Output) Size() int { return o.size }

// Memory returns the size of the buffers, in bytes.
func (o *Output) Memory() (n int) {
	for _, part := range o.parts {
		n += cap(part.buf)
	}
	return n
}

// Bytes returns a copy of what is to be written.
func (o *Output) Bytes() []byte {
	var all []byte
	for i := range o.parts {
		all = append(all, o.parts[i].rest()...)
	}
	return all
}

// Room returns a buffer at the end of the queue with capacity for n more bytes, to be
// extended and passed to Extend.
func (o *Output) Room(n int) []byte {
	if last := len(o.parts) - 1; last >= 0 {
		if b := o.parts[last].buf; cap(b)-len(b) >= n {
			return b
		}
	}
	least := outputBuffer
	if len(o.parts) == 0 {
		least = firstBuffer
	}
	b := o.Pool.Get(max(n, least))
	o.parts = append(o.parts, part{buf: b})
	return b
}

// Extend takes back the buffer of Room, to which bytes have been appended within its
// capacity.
func (o *Output) Extend(b []byte) {
	last := &o.parts[len(o.parts)-1]
	o.size += len(b) - len(last.buf)
	last.buf = b
}

// Write queues a copy of p.
func (o *Output) Write(p []byte) {
	if len(p) == 0 {
		return
	}
	o.Extend(append(o.Room(len(p)), p...))
}

// Own queues p[from:] without copying it. p is a buffer of the pool and belongs to the
// output from now on.
func (o *Output) Own(p []byte, from int) {
	if len(p) == from {
		o.Pool.Put(p)
		return
	}
	o.parts = append(o.parts, part{p, from})
	o.size += len(p) - from
}

// advance removes the first n bytes, which have been written.
func (o *Output) advance(n int) {
	o.size -= n
	done := 0
	for done < len(o.parts) && n >= len(o.parts[done].rest()) {
		n -= len(o.parts[done].rest())
		o.Pool.Put(o.parts[done].buf)
		o.parts[done] = part{}
		done++
	}
	if done == len(o.parts) {
		o.parts = o.parts[:0]
		return
	}
	o.parts[done].from += n
	o.parts = append(o.parts[:0], o.parts[done:]...)
}

// Drop removes everything.
func (o *Output) Drop() {
	o.advance(o.size)
	o.parts = nil
}
