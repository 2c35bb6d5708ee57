package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Some calls need to know what a structure is to say what they change: who pops a member
// takes one that is there. They decide on an answer, and append the tokens that make it
// true only if the head is still as it was. The calls of one event loop that are about
// one structure do that together: one of them leads, decides for all that wait, one after
// another, and appends what they change at once. So they never lose a race against each
// other, and take one round trip, however many they are.

// Decisions are the calls of one event loop that decide, by the keys of the structures
// that they are about. It is not safe for concurrent use.
type Decisions struct{ byKey map[string]*decisions }

// decisions are calls that decide on the same structure.
type decisions struct {
	waiting []*decision // in the order in which they came, without those that are led
	led     bool        // one of the calls is at work
}

// decision is what one call is to decide.
type decision struct {
	// choose decides on what fold says: it returns the tokens that the call appends and
	// prepares its answer. It may be called again if that was in vain.
	choose func(p *verbs.Pace, fold Fold) []byte
	alone  bool // as it may take long, or much memory

	waiter  verbs.Waiter
	leads   bool
	outcome verbs.Reply
}

// mostDecided is how many calls are decided together.
const mostDecided = 256

// join enters d. It returns true if d leads now, and otherwise it has to wait.
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

// with returns d, which leads, and those that are to be decided with it.
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

// putBack has some of those that were to be decided wait again.
func (s *Decisions) putBack(key []byte, some []*decision) {
	if len(some) > 0 {
		of := s.byKey[string(key)]
		of.waiting = slices.Insert(of.waiting, 0, some...)
	}
}

// leave takes back d, which has waited in vain.
func (s *Decisions) leave(key []byte, d *decision) {
	if d.leads {
		s.done(key, []*decision{d})
	} else if of := s.byKey[string(key)]; of != nil {
		of.waiting = slices.DeleteFunc(of.waiting, func(other *decision) bool { return other == d })
	}
}

// done ends the lead of all[0], with the outcome for the others, and has the next call
// lead.
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

// Decide has the call decide on the structure that it is about: Stored when that is done,
// Missing if there is no structure, or Failed. If alone is set, it does so by itself. If
// it was this call that appended something, the reply tells how much that was, and the
// size of the head then.
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

// waitFor waits until d was decided by another call, or is to lead.
func (c *Engine) waitFor(d *decision) {
	woken := false
	defer func() {
		if !woken { // but closed
			c.env.Decisions().leave(c.Key, d)
		}
	}()
	c.Wait(&d.waiter)
	woken = true
}

// lead decides for all of some calls, of which this is the first.
func (c *Engine) lead(all []*decision) (outcome verbs.Reply) {
	outcome = verbs.Reply{Err: "SERVER_ERROR not finished"}
	c.env.Hold(c.Key, true)
	defer func() {
		c.env.Hold(c.Key, false)
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
		case verbs.NotStored, verbs.Missing: // it is full, or gone
			if r := c.Settle(c.Key, min(c.HeadLimit(c.Key), verbs.SurelyTaken)); r.Status == verbs.Failed {
				return r
			}
		default:
			return r
		}
	}
	return verbs.Contended(c.Key)
}
