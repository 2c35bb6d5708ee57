package limits

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Calls of one event loop on one limit take turns. The call whose turn it is decides for all that have come before
// it began, itself included; those that come meanwhile wait. So a loop has one addition at a time to the counters of a
// limit of which it is not known whether it was allowed.

// turns are the limits on which calls of an event loop decide, with the requests that wait, by name.
type turns struct{ waiting map[string][]*request }

// request is what a call asks for, and what was decided.
type request struct {
	count, n uint64
	waiter   verbs.Waiter
	state    state

	failure string // the error instead of a decision
	allowed bool
	left    uint64 // how many more are free
	ms      int64  // when to ask again
}

// state says what the call of a request waits for:
//
//	          passOn             settled
//	waiting ─────────▶ deciding
//	   │ │    settled
//	   │ └───────────▶ decided
//	   └─────────────▶ left, if its routine is closed
type state uint8

const (
	waiting  state = iota // for its turn, or for another call to decide
	deciding              // it is the turn of its call
	decided
	left
)

// turn waits until it is the call's turn, and returns all requests that it is to decide on, its own first. It returns
// nil if another call has decided on its own.
func (c call) turn() (all []*request) {
	t, r := verbs.SharedOf[turns](c.Env.Shared()), c.asked
	if t.waiting == nil {
		t.waiting = map[string][]*request{}
	}
	list, busy := t.waiting[c.name]
	if !busy {
		t.waiting[c.name] = nil
		r.state = deciding
		return []*request{r}
	}
	t.waiting[c.name] = append(list, r)
	c.Wait(&r.waiter, func() { t.leave(c.name, r) })
	if r.state == decided {
		return nil
	}
	all = t.waiting[c.name]
	t.waiting[c.name] = nil
	return all
}

// leave ends the waiting of a call that was closed.
func (t *turns) leave(name string, r *request) {
	was := r.state
	if r.state = left; was == decided {
		return
	}
	t.waiting[name] = slices.DeleteFunc(t.waiting[name], func(other *request) bool { return other == r })
	if was == deciding {
		t.passOn(name)
	}
}

// passOn ends a turn. The next is that of the call that has waited longest.
func (t *turns) passOn(name string) {
	list := t.waiting[name]
	if len(list) == 0 {
		delete(t.waiting, name)
		return
	}
	list[0].state = deciding
	list[0].waiter.Wake()
}

// settled resumes the calls of all but the first request, which have been decided on. A request that has been
// left undecided fails.
func settled(all []*request) {
	for _, r := range all[1:] {
		if r.state == waiting {
			r.state = decided
			r.waiter.Wake()
		}
	}
}
