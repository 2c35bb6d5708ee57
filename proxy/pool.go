package proxy

import "math/bits"

// Buffer sizes, in bytes. Every buffer that holds what came from or goes to a
// socket is taken from a pool, so that what a loop holds can be counted.
const (
	minBuffer = 64
	maxBuffer = 4 << 20  // larger ones are as large as asked for, and left to the collector
	maxIdle   = 16 << 20 // what a pool keeps for later use, in all
)

// pool hands out byte buffers and takes them back. It belongs to one loop and
// is not safe for concurrent use.
type pool struct {
	free    [bits.UintSize][][]byte // by the power of two that is their capacity
	idle    int                     // bytes in free
	inUse   int                     // bytes handed out
	account *account                // counts both
}

// get returns an empty buffer with room for at least n bytes.
func (p *pool) get(n int) []byte {
	if n > maxBuffer {
		return p.adopt(make([]byte, 0, n))
	}
	class := bits.Len(uint(max(n, minBuffer) - 1))
	p.inUse += 1 << class
	if free := p.free[class]; len(free) > 0 {
		b := free[len(free)-1]
		p.free[class] = free[:len(free)-1]
		p.idle -= cap(b)
		return b
	}
	p.account.take(1 << class)
	return make([]byte, 0, 1<<class)
}

// put takes back a buffer that get returned. Nothing may use it any more.
func (p *pool) put(b []byte) {
	if cap(b) == 0 {
		return
	}
	p.inUse -= cap(b)
	if cap(b) > maxBuffer || p.idle+cap(b) > maxIdle || cap(b)&(cap(b)-1) != 0 { // adopted ones have any size
		p.account.give(cap(b))
		return
	}
	class := bits.Len(uint(cap(b) - 1))
	p.free[class] = append(p.free[class], b[:0])
	p.idle += cap(b)
}

// adopt makes a buffer one of the pool's, and returns it.
func (p *pool) adopt(b []byte) []byte {
	p.inUse += cap(b)
	p.account.take(cap(b))
	return b
}

// shed lets go of the buffers that are kept for later use.
func (p *pool) shed() {
	clear(p.free[:])
	p.account.give(p.idle)
	p.idle = 0
}

// grow returns a buffer with the content of b and room for n more bytes, and
// takes b back if it is another.
func (p *pool) grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	bigger := append(p.get(grown(b, n)), b...)
	p.put(b)
	return bigger
}

// grown returns how much room is asked for instead of b, for n bytes more. What get
// makes no larger than that may have to grow often.
func grown(b []byte, n int) int {
	size := len(b) + n
	if size > maxBuffer {
		size = max(size, len(b)+len(b)/2)
	}
	return size
}
