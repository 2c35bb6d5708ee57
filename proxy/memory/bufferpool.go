package memory

import "math/bits"

// Buffer sizes, in bytes. Every buffer for data from or to a socket is taken from a
// pool, so that the memory of a loop can be counted.
const (
	minBuffer = 64
	// MaxBuffer is the largest buffer that is kept for reuse. Larger ones have exactly
	// the requested size and are freed.
	MaxBuffer = 4 << 20
	maxIdle   = 16 << 20 // total size of the buffers that a pool keeps for reuse
)

// Pool hands out byte buffers and takes them back. It belongs to one loop and
// is not safe for concurrent use.
type Pool struct {
	free    [bits.UintSize][][]byte // by the logarithm of their capacity, a power of two
	idle    int                     // bytes in free
	inUse   int                     // bytes handed out
	Account *Account                // counts idle and inUse
}

// InUse returns how many bytes of buffers are handed out.
func (p *Pool) InUse() int { return p.inUse }

// Idle returns how many bytes of buffers are kept for reuse.
func (p *Pool) Idle() int { return p.idle }

// Get returns an empty buffer with a capacity of at least n bytes.
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

// Put returns a buffer of Get or Adopt to the pool. The caller must not use it any
// more.
func (p *Pool) Put(b []byte) {
	if cap(b) == 0 {
		return
	}
	p.inUse -= cap(b)
	if cap(b) > MaxBuffer || p.idle+cap(b) > maxIdle || cap(b)&(cap(b)-1) != 0 { // adopted buffers have any size
		p.Account.Free(cap(b))
		return
	}
	class := bits.Len(uint(cap(b) - 1))
	p.free[class] = append(p.free[class], b[:0])
	p.idle += cap(b)
}

// Adopt adds a buffer from elsewhere to those in use, and returns it.
func (p *Pool) Adopt(b []byte) []byte {
	p.inUse += cap(b)
	p.Account.Take(cap(b))
	return b
}

// Shed frees the buffers that are kept for reuse.
func (p *Pool) Shed() {
	clear(p.free[:])
	p.Account.Free(p.idle)
	p.idle = 0
}

// Grow returns a buffer with the content of b and capacity for n more bytes. If that is another
// buffer, b is returned to the pool.
func (p *Pool) Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	bigger := append(p.Get(Grown(b, n)), b...)
	p.Put(b)
	return bigger
}

// Grown returns the size that Grow requests to add n bytes to b. Get does not round up
// large sizes, so they grow by at least a half to avoid frequent growth.
func Grown(b []byte, n int) int {
	size := len(b) + n
	if size > MaxBuffer {
		size = max(size, len(b)+len(b)/2)
	}
	return size
}
