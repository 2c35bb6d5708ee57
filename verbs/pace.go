package verbs

import (
	"reflect"
	"slices"
)

// A large structure takes a processor for a tenth of a second and more, and who
// runs the verbs has others to serve meanwhile. So what is done to many tokens,
// members or events is done a slice at a time, and in between the call pauses.
// What fits into one slice, as nearly all structures do, never pauses.

// SliceTokens is how many tokens are a slice. They take about a millisecond if
// they are a part of so many that each is far away from the next in memory.
const SliceTokens = 20 << 10

// Pace does work a slice at a time. The zero value does all at once, and so does nil.
type Pace struct {
	Slice     int          // tokens
	Pause     func()       // lets others have their turn
	elsewhere func(func()) // has something done while others have theirs; nil to do it here
	done      int          // tokens since Rest has paused
}

// Rest pauses before n tokens are worked on, if what was done since it last paused is
// about a slice with them: several small logs are as much work as a large one.
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

// Freely returns how long a log may be, in bytes, that certainly is no more than
// one slice. It is read without asking for room, and folded where the upstream's
// reply is.
func (p *Pace) Freely() int { return p.Slice * len("+m ") }

// Each calls do for the numbers up to n, a slice at a time.
func (p *Pace) Each(n int, do func(from, to int)) {
	if p == nil {
		do(0, n)
		return
	}
	p.InSteps(n, p.Slice, do)
}

// Block is what the steps of EachByte are multiples of, in bytes.
const Block = 64

// EachByte calls do for n bytes of a log, a slice at a time. All but the last
// are whole blocks.
func (p *Pace) EachByte(n int, do func(from, to int)) { p.InSteps(n, p.bytes(), do) }

// bytes returns how many bytes of a log are about a slice, whole blocks; 0 for
// all.
func (p *Pace) bytes() int {
	if p == nil {
		return 0
	}
	return (p.Slice*TypicalToken + Block - 1) / Block * Block
}

// TypicalToken is the length of a token, in bytes, on which slices reckon.
const TypicalToken = 12

// InSteps calls do for the numbers up to n, step at a time, and pauses in between.
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

// MuchMemory is how many bytes are much to ask for at once: they are cleared, and the
// system provides them page by page, so that it takes milliseconds.
const MuchMemory = 1 << 20

// Provide calls get, which gets n bytes of memory.
func (p *Pace) Provide(n int, get func()) {
	if n < MuchMemory || p == nil || p.elsewhere == nil {
		get()
		return
	}
	p.elsewhere(get)
}

// Grow returns dst with room for n elements more. The memory for many is got while
// others have their turn.
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

// piece is how many elements are copied at a time, as copying can't be interrupted.
const piece = 4 << 10

// page is how much memory the system provides at a time, in bytes, or more.
const page = 4 << 10

// Fresh returns n elements, zero, whose memory the system has provided. Go's collector
// of garbage interrupts everybody, and who needs memory meanwhile waits for it: so
// what takes long has to be such that it can be interrupted, as make and a plain
// loop can. The clear that takes as long can't be, nor can append, slices.Grow, or
// make with a copy right after it, of which Go makes one step: each of them had
// others wait for a tenth of a second.
func Fresh[T any](n int) []T {
	memory := make([]T, n)
	var zero T
	for i := 0; i < n; i += page / int(reflect.TypeFor[T]().Size()) {
		memory[i] = zero
	}
	return memory
}

// elsewhere has something done on another goroutine.
func (c *Call) elsewhere(do func()) {
	c.local = append(c.local[:0], Op{Kind: Elsewhere, Do: do})
	c.yieldLocal()
	c.local[0].Do = nil
}

// pause lets others have their turn. What was read last is not valid any more.
func (c *Call) pause() {
	c.local = append(c.local[:0], Op{Kind: Pause})
	c.yieldLocal()
}
