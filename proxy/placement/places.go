package placement

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/sharding"
)

// Places is the history of a pool as all event loops see it. It is safe for concurrent use.
//
//	unasked ──Await──▶ asking ──Learn──▶ known
type Places struct {
	Settle  time.Duration
	fresh   func() bool
	history atomic.Pointer[History]

	mu      sync.Mutex
	state   state
	isKnown atomic.Bool
	waiting []func() // called once the history is known
}

// state is what is known of the time before this process started.
type state uint8

const (
	unasked state = iota // nothing, and nobody has asked
	asking
	known
)

// NewPlaces returns places with a history. If settle is 0, no proxy waits for others and there are no records, so
// there is nothing to ask. fresh, if not nil, reports whether the list of servers has been confirmed lately; while it has
// not, verbs are refused.
func NewPlaces(h *History, settle time.Duration, fresh func() bool) *Places {
	p := &Places{Settle: settle, fresh: fresh}
	p.history.Store(h)
	if settle == 0 {
		p.knows()
	}
	return p
}

// Change returns the places of the pool after it has changed to another list.
func (p *Places) Change(to List, settle time.Duration, fresh func() bool) *Places {
	next := NewPlaces(p.history.Load().Change(to, time.Now(), settle), settle, fresh)
	if p.isKnown.Load() {
		next.knows()
	}
	return next
}

func (p *Places) knows() {
	p.state = known
	p.isKnown.Store(true)
}

// History returns the present history.
func (p *Places) History() *History { return p.history.Load() }

// Fresh reports whether the list of servers has been confirmed lately, or is one that need not be.
func (p *Places) Fresh() bool { return p.fresh == nil || p.fresh() }

// Known reports whether the history is known.
func (p *Places) Known() bool { return p.isKnown.Load() }

// Steady reports whether every key is where the present list says, now and until the next change.
func (p *Places) Steady() bool {
	return p.isKnown.Load() && p.fresh == nil && !p.history.Load().Changed()
}

// Await has then called once the history is known, on any goroutine, and returns true; or it returns false if it is known
// already. The first call calls ask, which has Learn called.
func (p *Places) Await(ask, then func()) bool {
	if p.isKnown.Load() {
		return false
	}
	p.mu.Lock()
	if p.state == known {
		p.mu.Unlock()
		return false
	}
	p.waiting = append(p.waiting, then)
	first := p.state == unasked
	p.state = asking
	p.mu.Unlock()
	if first {
		ask()
	}
	return true
}

// Learn takes what the servers have recorded. layoutOf is as in [History.Learn].
func (p *Places) Learn(records []Record, layoutOf func(List) sharding.Layout) {
	h := p.history.Load()
	for _, r := range records {
		h = h.Learn(r, time.Now(), p.Settle, layoutOf)
	}
	p.history.Store(h)
	p.mu.Lock()
	p.knows()
	waiting := p.waiting
	p.waiting = nil
	p.mu.Unlock()
	for _, then := range waiting {
		then()
	}
}
