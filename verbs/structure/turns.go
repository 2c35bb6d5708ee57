package structure

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/verbs"
)

// The calls of one event loop that decide on the same structure do so together (decisions.go), but the loops of a process race
// against each other. A loop that has lost has to read the structure again, while the one that has won can append again at
// once, and may go on to win. So a leader that has lost a few races asks for a turn: until it has decided, those of other
// loops wait. Then all race again, which is faster than to decide in turn.

// Turns are the leaders of all event loops of a process that decide on structures of a pool. They are safe for concurrent
// use. The zero value has none.
type Turns struct {
	any   atomic.Int32 // how many leaders have a turn, or wait for one
	mu    sync.Mutex
	byKey map[string]*line
}

// line is the leaders that decide on one structure.
type line struct {
	turns []*turn // those that have asked for a turn; the first has it
	gate  []*turn // those that wait until nobody has
}

// turn is a leader's place in a line.
type turn struct {
	waiter verbs.Waiter
	post   func(fn func()) bool // see [Env.Post]
	over   bool                 // the leader does not wait any more; only its loop uses it
}

// taken reports whether a leader has a turn to decide on a structure.
func (t *Turns) taken(key []byte) bool {
	if t.any.Load() == 0 {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byKey[string(key)] != nil
}

// ask asks for a turn. It reports whether the leader has it at once; otherwise its loop wakes the leader later.
func (t *Turns) ask(key []byte, own *turn) (has bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.any.Add(1)
	l := t.byKey[string(key)]
	if l == nil {
		if l = new(line); t.byKey == nil {
			t.byKey = map[string]*line{}
		}
		t.byKey[string(key)] = l
	}
	l.turns = append(l.turns, own)
	return len(l.turns) == 1
}

// stop reports whether the leader has to wait until nobody has a turn; then its loop wakes it.
func (t *Turns) stop(key []byte, own *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.byKey[string(key)]
	if l != nil {
		l.gate = append(l.gate, own)
	}
	return l != nil
}

// leave removes a leader that has a turn, or waits.
func (t *Turns) leave(key []byte, own *turn) {
	own.over = true
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.byKey[string(key)]
	if l == nil { // the leader was let through
		return
	}
	isOwn := func(other *turn) bool { return other == own }
	before := len(l.turns)
	had := before > 0 && l.turns[0] == own
	l.turns, l.gate = slices.DeleteFunc(l.turns, isOwn), slices.DeleteFunc(l.gate, isOwn)
	for had && len(l.turns) > 0 && !l.turns[0].call() {
		l.turns = slices.Delete(l.turns, 0, 1)
	}
	t.any.Add(int32(len(l.turns) - before))
	if len(l.turns) == 0 {
		delete(t.byKey, string(key))
		for _, waits := range l.gate {
			waits.call()
		}
	}
}

// call has the leader's loop wake it. It returns false if the loop has ended.
func (t *turn) call() bool {
	return t.post(func() {
		if !t.over {
			t.waiter.Wake()
		}
	})
}
