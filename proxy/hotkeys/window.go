package hotkeys

import (
	"hash/maphash"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

const (
	// On average one key in often is in the sample, and one in seldom once a part has many samples.
	// So a busy proxy spends little more time on sampling than a quiet one.
	often, seldom = 4, 128
	many          = 1 << 10
	// Minute is how far back a window looks.
	Minute = time.Minute
	// parts is how many sketches the minute is divided into; there is one more for the part that
	// has begun.
	parts = 6
	part  = int64(Minute/time.Microsecond) / parts
)

// Window counts a sample of the keys of the last minute. It is not safe for concurrent use.
type Window struct {
	every    int // one key in so many is in the sample
	gap      int // the next key in the sample is the gap-th from now; at least 1
	seed     maphash.Seed
	sketches [parts + 1]sketch
	current  int64 // number of the part that has begun; its sketch is current % len(sketches)
}

// NewWindow returns an empty window.
func NewWindow() *Window {
	return &Window{every: often, gap: 1, seed: maphash.MakeSeed()}
}

// Skip skips the next n keys and returns true, unless one of them is in the sample. Then it returns
// false, and they have to be passed to Take or TakeWords.
func (w *Window) Skip(n int) bool {
	if w.gap <= n {
		return false
	}
	w.gap -= n
	return true
}

// Take counts the next key if it is in the sample. now is the time in microseconds.
func (w *Window) Take(now int64, key []byte) {
	if w.gap--; w.gap == 0 {
		w.turnTo(now / part)
		w.count(key)
		w.gap = w.nextGap()
	}
}

// TakeWords is Take for each of some keys, which are separated by spaces.
func (w *Window) TakeWords(now int64, keys []byte) {
	for key := range protocol.Words(keys) {
		w.Take(now, key)
	}
}

// count counts one key.
func (w *Window) count(key []byte) {
	s := &w.sketches[w.current%int64(len(w.sketches))]
	s.add(maphash.Bytes(w.seed, key), key, uint32(w.every))
	if s.total == many*often {
		w.every = seldom
	}
}

// nextGap returns a random number from 1 to 2*every-1.
func (w *Window) nextGap() int {
	return 1 + rand.IntN(2*w.every-1)
}

// turnTo makes the window end with the part of that number.
func (w *Window) turnTo(number int64) {
	for n := max(w.current+1, number-int64(len(w.sketches))+1); n <= number; n++ {
		w.sketches[n%int64(len(w.sketches))].clear()
	}
	if number > w.current {
		w.current, w.every = number, often
	}
}
