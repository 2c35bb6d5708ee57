package verbs

import "slices"

// A large structure takes a processor for a tenth of a second and more, and who
// runs the verbs has others to serve meanwhile. So what is done to many tokens,
// members or events is done a slice at a time, and in between the call pauses.
// What fits into one slice, as nearly all structures do, never pauses.

// sliceTokens is how many tokens are a slice. They take about a millisecond if
// they are a part of so many that each is far away from the next in memory.
const sliceTokens = 20 << 10

// pace does work a slice at a time. The zero value does all at once.
type pace struct {
	slice     int          // tokens
	pause     func()       // lets others have their turn
	elsewhere func(func()) // has something done while others have theirs; nil to do it here
}

// freely returns how long a log may be, in bytes, that certainly is no more than
// one slice. It is read without asking for room, and folded where the upstream's
// reply is.
func (p *pace) freely() int { return p.slice * len("+m ") }

// each calls do for the numbers up to n, a slice at a time.
func (p *pace) each(n int, do func(from, to int)) { p.inSteps(n, p.slice, do) }

// eachByte calls do for n bytes of a log, a slice at a time. All but the last
// begin and end with a block.
func (p *pace) eachByte(n int, do func(from, to int)) { p.inSteps(n, p.bytes(), do) }

// bytes returns how many bytes of a log are about a slice, whole blocks; 0 for
// all.
func (p *pace) bytes() int { return (p.slice*typicalToken + block - 1) / block * block }

// typicalToken is the length of a token, in bytes, on which slices reckon.
const typicalToken = 12

func (p *pace) inSteps(n, step int, do func(from, to int)) {
	if step == 0 || n <= step || p.pause == nil {
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
	if n < muchMemory || p.elsewhere == nil {
		get()
		return
	}
	p.elsewhere(get)
}

// grow returns dst with room for n bytes more.
func (p *pace) grow(dst []byte, n int) []byte {
	if n < muchMemory || cap(dst)-len(dst) >= n {
		return slices.Grow(dst, n)
	}
	return p.growMuch(dst, n)
}

func (p *pace) growMuch(dst []byte, n int) (grown []byte) {
	p.provide(n, func() {
		grown = make([]byte, len(dst)+n) // unlike append, this can be interrupted
		copy(grown, dst)
		touch(grown[len(dst):])
	})
	return grown[:len(dst)]
}

// touch writes to all of memory that is zero, so that its pages are there when they
// are needed. It does so in small pieces, as Go's collector of garbage, and with it
// everybody, has to wait until a piece is cleared.
func touch[T any](memory []T) {
	const piece = 4 << 10
	for len(memory) > piece {
		clear(memory[:piece])
		memory = memory[piece:]
	}
	clear(memory)
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
