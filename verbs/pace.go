package verbs

import (
	"reflect"
	"slices"
)

// Processing a large structure takes a tenth of a second of processor time and more,
// and the event loop has other clients to serve. So work on many tokens, members or
// events is done in slices, and the call pauses between them. Work that fits one slice,
// as for nearly all structures, never pauses.

// SliceTokens is how many tokens make a slice. Processing them takes about a
// millisecond if there are so many tokens that most accesses miss the processor's
// caches.
const SliceTokens = 20 << 10

// Pace divides work into slices. The zero value and nil do all work at once.
type Pace struct {
	Slice     int          // tokens
	Pause     func()       // lets other requests run
	elsewhere func(func()) // calls a function on another goroutine while other requests run; nil to call it here
	done      int          // tokens since the last pause of Rest
}

// Rest is called before work on n tokens. It pauses if they would exceed a slice together with the
// tokens since its last pause, because several small logs are as much work as a large one.
func (p *Pace) Rest(n int) {
	if p == nil {
		return
	}
	if p.done > 0 && p.done+n > p.Slice && p.Pause != nil {
		p.Pause()
		p.done = 0
	}
	p.done += n
}

// Freely returns the length, in bytes, up to which a log has certainly no more tokens than a slice.
// Such a log is read without reserving memory, and folded in the reply buffer.
func (p *Pace) Freely() int { return p.Slice * len("+m ") }

// ForLog returns p if work on a log of size bytes has to be divided, else nil. A shorter log may be in the reply
// buffer, which a pause would invalidate.
func (p *Pace) ForLog(size int) *Pace {
	if p == nil || size <= p.Freely() {
		return nil
	}
	return p
}

// Each calls do with consecutive ranges of the numbers from 0 to n-1, a slice at a
// time.
func (p *Pace) Each(n int, do func(from, to int)) {
	if p == nil {
		do(0, n)
		return
	}
	p.InSteps(n, p.Slice, do)
}

// EachLookup is Each for work that accesses memory at random for each number, which takes as long as
// several tokens. Consecutive passes share slices, see [Pace.Rest].
func (p *Pace) EachLookup(n int, do func(from, to int)) {
	if p == nil || p.Pause == nil {
		do(0, n)
		return
	}
	step := max(p.Slice/lookupTokens, 1)
	for from := 0; from < n; from += step {
		to := min(from+step, n)
		p.Rest(lookupTokens * (to - from))
		do(from, to)
	}
}

// lookupTokens is how many tokens are processed in the time of one access to memory that is in none
// of the processor's caches.
const lookupTokens = 8

// Block is the unit of the steps of EachByte, in bytes.
const Block = 64

// EachByte calls do with consecutive ranges of n bytes of a log, a slice at a time. All
// but the last range are multiples of [Block].
func (p *Pace) EachByte(n int, do func(from, to int)) {
	if p == nil {
		do(0, n)
		return
	}
	p.InSteps(n, (p.Slice*TypicalToken+Block-1)/Block*Block, do)
}

// LookupBytes returns how many bytes of a log make a slice if each token is looked up; 0 for all.
// They are few, because in a large structure each lookup waits for memory.
func (p *Pace) LookupBytes() int {
	if p == nil {
		return 0
	}
	return max(p.Freely(), Block)
}

// TypicalToken is the typical length of a token, in bytes, from which the size of
// slices is estimated.
const TypicalToken = 12

// InSteps calls do with consecutive ranges of step numbers from 0 to n-1, and pauses
// between them.
func (p *Pace) InSteps(n, step int, do func(from, to int)) {
	if p == nil || step == 0 || n <= step || p.Pause == nil {
		do(0, n)
		return
	}
	for from := 0; from < n; from += step {
		if from > 0 {
			p.Pause()
		}
		do(from, min(from+step, n))
	}
}

// MuchMemory is how many bytes take milliseconds to allocate: they are cleared, and the system
// provides them page by page.
const MuchMemory = 1 << 20

// Provide calls get, which allocates n bytes, on another goroutine if they are many.
func (p *Pace) Provide(n int, get func()) {
	if n < MuchMemory || p == nil || p.elsewhere == nil {
		get()
		return
	}
	p.elsewhere(get)
}

// Grow returns dst with capacity for n more elements. If they are many, other requests
// run while the memory is allocated.
func Grow[T any](p *Pace, dst []T, n int) []T {
	size := (len(dst) + n) * int(reflect.TypeFor[T]().Size())
	if size < MuchMemory || cap(dst)-len(dst) >= n {
		return slices.Grow(dst, n)
	}
	var grown []T
	p.Provide(size, func() {
		grown = Fresh[T](len(dst) + n)
		for have := 0; have < len(dst); have += piece {
			copy(grown[have:], dst[have:min(have+piece, len(dst))])
		}
	})
	return grown[:len(dst)]
}

// piece is how many elements are copied at a time, since a copy can't be preempted.
const piece = 4 << 10

// page is the least amount of memory that the system provides at a time, in bytes.
const page = 4 << 10

// Fresh returns n zero elements whose memory pages the system has already provided. Go's garbage
// collector stops all goroutines for a moment, and a goroutine that can't be preempted makes all
// others wait. make and a plain loop can be preempted. A long clear, append or slices.Grow can't,
// nor can make followed by copy, which the compiler merges: each of them delayed others by a tenth
// of a second.
func Fresh[T any](n int) []T {
	memory := make([]T, n)
	var zero T
	for i := 0; i < n; i += page / int(reflect.TypeFor[T]().Size()) {
		memory[i] = zero
	}
	return memory
}
