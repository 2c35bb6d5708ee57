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
	Buffers *Buffers
	queue   *queue // nil if nothing is to be written
}

// Buffers is what the outputs of a loop take their memory from.
type Buffers struct {
	memory.Pool
	queues memory.Reuse[queue] // empty
}

// queue is the parts of an output that is not empty.
type queue struct {
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
func (o *Output) Size() int {
	if o.queue == nil {
		return 0
	}
	return o.queue.size
}

// parts returns the buffers that have the bytes to be written.
func (o *Output) parts() []part {
	if o.queue == nil {
		return nil
	}
	return o.queue.parts
}

// Memory returns the size of the buffers, in bytes.
func (o *Output) Memory() (n int) {
	for _, part := range o.parts() {
		n += cap(part.buf)
	}
	return n
}

// Bytes returns a copy of what is to be written.
func (o *Output) Bytes() []byte {
	var all []byte
	for _, part := range o.parts() {
		all = append(all, part.rest()...)
	}
	return all
}

// Room returns a buffer at the end of the queue with capacity for n more bytes, to be
// extended and passed to Extend.
func (o *Output) Room(n int) []byte {
	parts := o.parts()
	if last := len(parts) - 1; last >= 0 {
		if b := parts[last].buf; cap(b)-len(b) >= n {
			return b
		}
	}
	least := outputBuffer
	if len(parts) == 0 {
		least = firstBuffer
	}
	b := o.Buffers.Get(max(n, least))
	o.add(part{buf: b})
	return b
}

// add appends a part.
func (o *Output) add(p part) {
	if o.queue == nil {
		o.queue = o.Buffers.queues.Take()
	}
	o.queue.parts = append(o.queue.parts, p)
}

// Extend takes back the buffer of Room, to which bytes have been appended within its
// capacity.
func (o *Output) Extend(b []byte) {
	last := &o.queue.parts[len(o.queue.parts)-1]
	o.queue.size += len(b) - len(last.buf)
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
		o.Buffers.Put(p)
		return
	}
	o.add(part{p, from})
	o.queue.size += len(p) - from
}

// advance removes the first n bytes, which have been written.
func (o *Output) advance(n int) {
	q := o.queue
	if q == nil {
		return
	}
	q.size -= n
	done := 0
	for done < len(q.parts) && n >= len(q.parts[done].rest()) {
		n -= len(q.parts[done].rest())
		o.Buffers.Put(q.parts[done].buf)
		q.parts[done] = part{}
		done++
	}
	if done == len(q.parts) {
		o.release()
		return
	}
	q.parts[done].from += n
	q.parts = append(q.parts[:0], q.parts[done:]...)
}

const (
	// keptParts is how many parts an empty queue that is kept has room for at most.
	keptParts = 64
	// keptQueues is how many empty queues are kept at most: about as many as there are clients, since all of them may
	// get a reply in the same turn.
	keptQueues = 16 << 10
)

// release leaves the queue, whose parts are all written, to other outputs. Most of thousands of clients have
// nothing to receive at a time.
func (o *Output) release() {
	q := o.queue
	o.queue = nil
	if cap(q.parts) <= keptParts {
		q.parts = q.parts[:0]
		o.Buffers.queues.KeepUpTo(keptQueues, q)
	}
}

// Drop removes everything.
func (o *Output) Drop() { o.advance(o.Size()) }
