package structure

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/verbs"
)

// The calls of one event loop that decide on the same structure do so together (decisions.go), but the loops of a process race
// against each other. A loop that has lost has to read the structure again, while the one that has won can append again at
// once, and may go on to win. So a leader that has lost a few races asks for precedence: until it has decided, the leaders of
// other loops wait. Then all race again, which is faster than deciding one after another.

// Precedence says which leaders, of all event loops of a process, have precedence in deciding on the structures of a pool. It
// is safe for concurrent use. In the zero value none has.
type Precedence struct {
	any   atomic.Int32 // how many leaders have precedence, or have asked for it
	mu    sync.Mutex
	byKey map[string]*line
}

// line is the leaders that decide on one structure.
type line struct {
	asked []*place // those that have asked for precedence; the first has it
	gate  []*place // those that wait until nobody has it
}

// place is a leader's place in a line.
type place struct {
	waiter verbs.Waiter
	post   func(fn func()) bool // see [Env.Post]
	over   bool                 // the leader does not wait any more; only its loop uses it
}

// taken reports whether a leader has precedence in deciding on a structure.
func (p *Precedence) taken(key []byte) bool {
	if p.any.Load() == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byKey[string(key)] != nil
}

// ask asks for precedence. It reports whether the leader has it at once; otherwise its loop wakes the leader later.
func (p *Precedence) ask(key []byte, own *place) (has bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.any.Add(1)
	l := p.byKey[string(key)]
	if l == nil {
		if l = new(line); p.byKey == nil {
			p.byKey = map[string]*line{}
		}
		p.byKey[string(key)] = l
	}
	l.asked = append(l.asked, own)
	return len(l.asked) == 1
}

// stop reports whether the leader has to wait until nobody has precedence; then its loop wakes it.
func (p *Precedence) stop(key []byte, own *place) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.byKey[string(key)]
	if l != nil {
		l.gate = append(l.gate, own)
	}
	return l != nil
}

// leave removes a leader that has precedence, or waits.
func (p *Precedence) leave(key []byte, own *place) {
	own.over = true
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.byKey[string(key)]
	if l == nil { // the leader was let through
		return
	}
	isOwn := func(other *place) bool { return other == own }
	before := len(l.asked)
	had := before > 0 && l.asked[0] == own
	l.asked, l.gate = slices.DeleteFunc(l.asked, isOwn), slices.DeleteFunc(l.gate, isOwn)
	for had && len(l.asked) > 0 && !l.asked[0].call() {
		l.asked = slices.Delete(l.asked, 0, 1)
	}
	p.any.Add(int32(len(l.asked) - before))
	if len(l.asked) == 0 {
		delete(p.byKey, string(key))
		for _, waits := range l.gate {
			waits.call()
		}
	}
}

// call makes the leader's loop wake the leader. It returns false if the loop has ended.
func (p *place) call() bool {
	return p.post(func() {
		if !p.over {
			p.waiter.Wake()
		}
	})
}
