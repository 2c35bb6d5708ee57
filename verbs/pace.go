package verbs

import (
	"reflect"
	"slices"
)

// A large structure takes a processor for a tenth of a second and more, and who
// runs the verbs has others to serve meanwhile. So what is done to many tokens,
// members or events is done a slice at a time, and in between the call pauses.
// What fits into one slice, as nearly all structures do, never pauses.

// sliceTokens is how many tokens are a slice. They take about a millisecond if
// they are a part of so many that each is far away from the next in memory.
const sliceTokens = 20 << 10

// pace does work a slice at a time. The zero value does all at once, and so does nil.
type pace struct {
	slice     int          // tokens
	pause     func()       // lets others have their turn
	elsewhere func(func()) // has something done while others have theirs; nil to do it here
	done      int          // tokens since rest has paused
}

// rest pauses before n tokens are worked on, if what was done since it last paused is
// about a slice with them: several small logs are as much work as a large one.
func (p *pace) rest(n int) {
	if p == nil {
		return
	}
	if p.done > 0 && p.done+n > p.slice && p.pause != nil {
		p.pause()
		p.done = 0
	}
	p.done += n
}

// freely returns how long a log may be, in bytes, that certainly is no more than
// one slice. It is read without asking for room, and folded where the upstream's
// reply is.
func (p *pace) freely() int { return p.slice * len("+m ") }

// each calls do for the numbers up to n, a slice at a time.
func (p *pace) each(n int, do func(from, to int)) {
	if p == nil {
		do(0, n)
		return
	}
	p.inSteps(n, p.slice, do)
}

// eachByte calls do for n bytes of a log, a slice at a time. All but the last
// begin and end with a block.
func (p *pace) eachByte(n int, do func(from, to int)) { p.inSteps(n, p.bytes(), do) }

// bytes returns how many bytes of a log are about a slice, whole blocks; 0 for
// all.
func (p *pace) bytes() int {
	if p == nil {
		return 0
	}
	return (p.slice*typicalToken + block - 1) / block * block
}

// typicalToken is the length of a token, in bytes, on which slices reckon.
const typicalToken = 12

func (p *pace) inSteps(n, step int, do func(from, to int)) {
	if p == nil || step == 0 || n <= step || p.pause == nil {
		do(0, n)
		return
	}
	for from := 0; from < n; from += step {
		if from > 0 {
			p.pause()
		}
		do(from, min(from+step, n))
	}
}

// muchMemory is how many bytes are much to ask for at once: they are cleared, and the
// system provides them page by page, so that it takes milliseconds.
const muchMemory = 1 << 20

// provide calls get, which gets n bytes of memory.
func (p *pace) provide(n int, get func()) {
	if n < muchMemory || p == nil || p.elsewhere == nil {
		get()
		return
	}
	p.elsewhere(get)
}

// grow returns dst with room for n elements more. The memory for many is got while
// others have their turn.
func grow[T any](p *pace, dst []T, n int) []T {
	size := (len(dst) + n) * int(reflect.TypeFor[T]().Size())
	if size < muchMemory || cap(dst)-len(dst) >= n {
		return slices.Grow(dst, n)
	}
	var grown []T
	p.provide(size, func() {
		grown = fresh[T](len(dst) + n)
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

// fresh returns n elements, zero, whose memory the system has provided. Go's collector
// of garbage interrupts everybody, and who needs memory meanwhile waits for it: so
// what takes long has to be such that it can be interrupted, as make and a plain
// loop can. The clear that takes as long can't be, nor can append, slices.Grow, or
// make with a copy right after it, of which Go makes one step: each of them had
// others wait for a tenth of a second.
func fresh[T any](n int) []T {
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
