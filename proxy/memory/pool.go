package memory

import "math/bits"

// Buffer sizes, in bytes. Every buffer that holds what came from or goes to a
// socket is taken from a pool, so that what a loop holds can be counted.
const (
	minBuffer = 64
	// MaxBuffer is the largest that is kept for later use. Larger ones are as large as
	// asked for, and left to the collector.
	MaxBuffer = 4 << 20
	maxIdle   = 16 << 20 // what a pool keeps for later use, in all
)

// Pool hands out byte buffers and takes them back. It belongs to one loop and
// is not safe for concurrent use.
type Pool struct {
	free    [bits.UintSize][][]byte // by the power of two that is their capacity
	idle    int                     // bytes in free
	inUse   int                     // bytes handed out
	Account *Account                // counts both
}

// InUse returns how many bytes of buffers are handed out.
func (p *Pool) InUse() int { return p.inUse }

// Idle returns how many bytes of buffers are kept for later use.
func (p *Pool) Idle() int { return p.idle }

// Get returns an empty buffer with room for at least n bytes.
func (p *Pool) Get(n int) []byte {
	if n > MaxBuffer {
		return p.Adopt(make([]byte, 0, n))
	}
	class := bits.Len(uint(max(n, minBuffer) - 1))
	p.inUse += 1 << class
	if free := p.free[class]; len(free) > 0 {
		b := free[len(free)-1]
		p.free[class] = free[:len(free)-1]
		p.idle -= cap(b)
		return b
	}
	p.Account.Take(1 << class)
	return make([]byte, 0, 1<<class)
}

// Put takes back a buffer that Get returned. Nothing may use it any more.
func (p *Pool) Put(b []byte) {
	if cap(b) == 0 {
		return
	}
	p.inUse -= cap(b)
	if cap(b) > MaxBuffer || p.idle+cap(b) > maxIdle || cap(b)&(cap(b)-1) != 0 { // adopted ones have any size
		p.Account.Give(cap(b))
		return
	}
	class := bits.Len(uint(cap(b) - 1))
	p.free[class] = append(p.free[class], b[:0])
	p.idle += cap(b)
}

// Adopt makes a buffer one of the pool's, and returns it.
func (p *Pool) Adopt(b []byte) []byte {
	p.inUse += cap(b)
	p.Account.Take(cap(b))
	return b
}

// Shed lets go of the buffers that are kept for later use.
func (p *Pool) Shed() {
	clear(p.free[:])
	p.Account.Give(p.idle)
	p.idle = 0
}

// Grow returns a buffer with the content of b and room for n more bytes, and
// takes b back if it is another.
func (p *Pool) Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	bigger := append(p.Get(Grown(b, n)), b...)
	p.Put(b)
	return bigger
}

// Grown returns how much room is asked for instead of b, for n bytes more. What Get
// makes no larger than that may have to grow often.
func Grown(b []byte, n int) int {
	size := len(b) + n
	if size > MaxBuffer {
		size = max(size, len(b)+len(b)/2)
	}
	return size
}
