package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// The changes of some calls depend on the structure: popping a member requires one that
// is there. Such a call decides on its answer, and then appends the tokens that make it
// true, only if the head is unchanged. The calls of one event loop that decide on the
// same structure do so together: one of them, the leader, decides for all that wait, one
// after another, and appends all their tokens at once. So they never conflict with each
// other, and together take one round trip.

// Decisions are the deciding calls of one event loop, by the keys of their structures.
// It is not safe for concurrent use.
type Decisions struct{ byKey map[string]*decisions }

// decisions are the calls that decide on one structure.
type decisions struct {
	waiting []*decision // in order of arrival, without those that the leader decides now
	led     bool        // there is a leader
}

// decision is one call's decision.
type decision struct {
	// choose decides, given the structure as fold: it returns the tokens to append and
	// prepares the call's answer. It is called again if the append fails because the
	// structure has changed.
	choose func(p *verbs.Pace, fold Fold) []byte
	alone  bool // decide it separately, as it may take long or much memory

	waiter  verbs.Waiter
	leads   bool
	outcome verbs.Reply
}

// mostDecided is how many calls are decided together at most.
const mostDecided = 256

// join adds d. It returns true if d leads, false if it has to wait.
func (s *Decisions) join(key []byte, d *decision) (leads bool) {
	of := s.byKey[string(key)]
	if of == nil {
		if of = new(decisions); s.byKey == nil {
			s.byKey = map[string]*decisions{}
		}
		s.byKey[string(key)] = of
	}
	if of.led {
		of.waiting = append(of.waiting, d)
		return false
	}
	of.led = true
	return true
}

// with returns d, the leader, and the waiting decisions to make together with it.
func (s *Decisions) with(key []byte, d *decision) []*decision {
	all := []*decision{d}
	if d.alone {
		return all
	}
	of := s.byKey[string(key)]
	n := 0
	for n < len(of.waiting) && len(all) < mostDecided && !of.waiting[n].alone {
		all = append(all, of.waiting[n])
		n++
	}
	of.waiting = slices.Delete(of.waiting, 0, n)
	return all
}

// putBack returns some of these to the front of those that wait.
func (s *Decisions) putBack(key []byte, some []*decision) {
	if len(some) > 0 {
		of := s.byKey[string(key)]
		of.waiting = slices.Insert(of.waiting, 0, some...)
	}
}

// leave removes d, whose call was closed while it waited.
func (s *Decisions) leave(key []byte, d *decision) {
	if d.leads {
		s.done(key, []*decision{d})
	} else if of := s.byKey[string(key)]; of != nil {
		of.waiting = slices.DeleteFunc(of.waiting, func(other *decision) bool { return other == d })
	}
}

// done ends the lead of all[0], wakes the others of all, whose outcomes are set, and
// makes the next waiting call the leader.
func (s *Decisions) done(key []byte, all []*decision) {
	for _, d := range all[1:] {
		d.waiter.Wake()
	}
	of := s.byKey[string(key)]
	if len(of.waiting) == 0 {
		delete(s.byKey, string(key))
		return
	}
	next := of.waiting[0]
	of.waiting = slices.Delete(of.waiting, 0, 1)
	next.leads = true
	next.waiter.Wake()
}

// Decide calls choose on the call's structure and appends the tokens that it returns. It
// returns Stored when that is done, Missing if there is no structure, or Failed. With
// alone set, other calls are not decided together with it. If this call has led and
// appended, the reply has Grown and the head's Size.
func (c *Engine) Decide(alone bool, choose func(p *verbs.Pace, fold Fold) []byte) verbs.Reply {
	d := &decision{choose: choose, alone: alone}
	all := c.env.Decisions()
	if !all.join(c.Key, d) {
		c.waitFor(d)
		if !d.leads {
			return d.outcome
		}
	}
	return c.lead(all.with(c.Key, d))
}

// waitFor waits until the leader has decided d, or made it the leader.
func (c *Engine) waitFor(d *decision) {
	woken := false
	defer func() {
		if !woken { // the routine was closed
			c.env.Decisions().leave(c.Key, d)
		}
	}()
	c.Wait(&d.waiter)
	woken = true
}

// lead decides for all, of which this call's decision is the first.
func (c *Engine) lead(all []*decision) (outcome verbs.Reply) {
	outcome = verbs.Reply{Err: "SERVER_ERROR not finished"}
	c.hold(c.Key, true)
	defer func() {
		c.hold(c.Key, false)
		for _, d := range all {
			d.outcome = verbs.Reply{Status: outcome.Status, Err: outcome.Err}
		}
		c.env.Decisions().done(c.Key, all)
	}()
	g := ground{Engine: c}
	for range CommitTries {
		if r := g.find(all[0].alone); r.Status != verbs.Hit {
			return r
		}
		n := g.choose(all)
		c.env.Decisions().putBack(c.Key, all[n:])
		all = all[:n]
		switch r := g.carryOut(); r.Status {
		case verbs.Stored:
			r.Grown = len(g.tokens)
			return r
		case verbs.Exists:
		case verbs.NotStored, verbs.Missing: // the head is full or gone
			if r := c.Settle(c.Key, min(c.HeadLimit(c.Key), verbs.SurelyTaken)); r.Status == verbs.Failed {
				return r
			}
		default:
			return r
		}
	}
	return verbs.Contended(c.Key)
}
