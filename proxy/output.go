package proxy

import "github.com/memverbs/memverbs/proxy/memory"

// ownBuffer is the size, in bytes, from which a message is queued as it is
// instead of being copied behind others.
const ownBuffer = 16 << 10

// outputBuffer is the least size of a buffer that messages are copied to.
const outputBuffer = 4 << 10

// output is what is to be written to a socket, in order.
type output struct {
	pool  *memory.Pool
	parts []part
	size  int // bytes to be written
}

// part is a buffer of the pool, of which the bytes from from on are to be written.
type part struct {
	buf  []byte
	from int
}

func (p *part) rest() []byte { return p.buf[p.from:] }

// memory returns how many bytes are kept.
func (o *output) memory() (n int) {
	for _, part := range o.parts {
		n += cap(part.buf)
	}
	return n
}

// room returns a buffer with room for n bytes at the end of the queue, to be
// given back by extend.
func (o *output) room(n int) []byte {
	if last := len(o.parts) - 1; last >= 0 {
		if b := o.parts[last].buf; cap(b)-len(b) >= n {
			return b
		}
	}
	b := o.pool.Get(max(n, outputBuffer))
	o.parts = append(o.parts, part{buf: b})
	return b
}

// extend takes back the buffer that room returned, with something appended to
// it within its capacity.
func (o *output) extend(b []byte) {
	last := &o.parts[len(o.parts)-1]
	o.size += len(b) - len(last.buf)
	last.buf = b
}

// write queues a copy of p.
func (o *output) write(p []byte) {
	if len(p) == 0 {
		return
	}
	o.extend(append(o.room(len(p)), p...))
}

// own queues what is in p from from on. p is a buffer of the pool, and belongs to
// the output from now on.
func (o *output) own(p []byte, from int) {
	if len(p) == from {
		o.pool.Put(p)
		return
	}
	o.parts = append(o.parts, part{p, from})
	o.size += len(p) - from
}

// advance drops the first n bytes, which have been written.
func (o *output) advance(n int) {
	o.size -= n
	done := 0
	for done < len(o.parts) && n >= len(o.parts[done].rest()) {
		n -= len(o.parts[done].rest())
		o.pool.Put(o.parts[done].buf)
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

// drop forgets everything.
func (o *output) drop() {
	o.advance(o.size)
	o.parts = nil
}
