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
// other, and together take one round trip. Most do without a coroutine, see atonce.go. Those
// that lose races against others' appends all the time give orders instead, see order.go.

// Decisions are the deciding calls of one event loop, by the keys of their structures.
// It is not safe for concurrent use.
type Decisions struct {
	byKey  map[string]*decisions
	orders orders
}

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
	kind   *Kind // of the call; what is under the key may be of another one
	alone  bool  // decide it separately, as it may take long or much memory
	order  *Order
	given  bool // it is nothing but the order, see Engine.Give

	waiter  verbs.Waiter
	leads   bool
	held    bool // appends are held back for it since it leads
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

// led reports whether calls decide on the structure under key.
func (s *Decisions) led(key []byte) bool { return s.byKey[string(key)] != nil }

// with returns d, the leader, and the waiting decisions to make together with it.
func (s *Decisions) with(key []byte, d *decision) []*decision {
	all := []*decision{d}
	if d.alone {
		return all
	}
	of := s.byKey[string(key)]
	n := 0
	for n < len(of.waiting) && len(all) < mostDecided && of.waiting[n].goesWith(d) {
		all = append(all, of.waiting[n])
		n++
	}
	of.waiting = slices.Delete(of.waiting, 0, n)
	return all
}

// goesWith reports whether d can be decided together with the leader's decision.
func (d *decision) goesWith(leader *decision) bool {
	return !d.alone && d.given == leader.given && d.kind == leader.kind
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
	if of := s.byKey[string(key)]; of != nil {
		of.waiting = slices.DeleteFunc(of.waiting, func(other *decision) bool { return other == d })
	}
}

// done ends the lead of all[0], wakes the others of all, whose outcomes are set, and
// makes the next waiting call the leader. It returns that, nil if none waits.
func (s *Decisions) done(key []byte, all []*decision) (next *decision) {
	for _, d := range all[1:] {
		d.waiter.Wake()
	}
	of := s.byKey[string(key)]
	if len(of.waiting) == 0 {
		delete(s.byKey, string(key))
		return nil
	}
	next = of.waiting[0]
	of.waiting = slices.Delete(of.waiting, 0, 1)
	next.leads = true
	next.waiter.Wake()
	return next
}

// endLead ends the lead of all[0], see [Decisions.done]. Appends are held back until the next call
// leads, which takes them along. Otherwise it would lose a race against those of the clients that
// are answered now.
func (c *Engine) endLead(all []*decision) {
	next := c.env.Decisions().done(c.Key, all)
	if next != nil && !c.env.Overdue(c.owner(c.Key), c.Key) {
		next.held = true
		c.hold(c.Key, true)
	}
}

// holdAsLeader holds back others' appends while d leads, unless endLead has begun to do so already.
func (c *Engine) holdAsLeader(d *decision) {
	if !d.held {
		c.hold(c.Key, true)
	}
	d.held = false
}

// letAppend ends what endLead has begun, if the call of d does not hold back appends itself.
func (c *Engine) letAppend(d *decision) {
	if d.held {
		d.held = false
		c.hold(c.Key, false)
	}
}

// Decide calls choose on the call's structure and appends the tokens that it returns. It
// returns Stored when that is done, Missing if there is no structure, or Failed. With
// alone set, other calls are not decided together with it. If order is not nil, it is given
// where others change the structure all the time; then nothing is Contended. If this call has
// led and appended, the reply has Grown and the head's Size.
func (c *Engine) Decide(alone bool, choose func(p *verbs.Pace, fold Fold) []byte, order *Order) verbs.Reply {
	return c.decide(&decision{choose: choose, alone: alone, order: order})
}

// decide makes the decision d, or waits until another call has made it.
func (c *Engine) decide(d *decision) verbs.Reply {
	d.kind = c.Kind
	all := c.env.Decisions()
	if c.leads {
		c.leads = false
	} else if !all.join(c.Key, d) {
		c.waitFor(d)
		if !d.leads {
			return d.outcome
		}
	}
	led := round{c, all.with(c.Key, d)}
	return led.lead()
}

// inTurn calls do, which swaps the head of the call's structure. If other calls of the event loop
// decide on that, the call leads meanwhile and holds back appends: they might come without a pause,
// and do would lose every race against them.
func (c *Engine) inTurn(do func()) {
	if c.Of != nil || !c.env.Decisions().led(c.Key) {
		do()
		return
	}
	d := &decision{kind: c.Kind, alone: true}
	c.env.Decisions().join(c.Key, d)
	c.waitFor(d)
	defer func() { c.endLead([]*decision{d}) }()
	c.holdAsLeader(d)
	defer c.hold(c.Key, false)
	do()
}

// waitFor waits until the leader has decided d, or made it the leader. It drops what the call has
// loaded, and gives back the room for that, as the leader may be waiting for room.
func (c *Engine) waitFor(d *decision) {
	c.LetGo()
	c.KeepRoom(0)
	woken := false
	defer func() {
		if !woken { // the routine was closed
			c.leave(d)
		}
	}()
	c.Wait(&d.waiter)
	woken = true
}

// leave ends the waiting of a call that was closed.
func (c *Engine) leave(d *decision) {
	if d.leads {
		c.letAppend(d)
		c.endLead([]*decision{d})
	} else {
		c.env.Decisions().leave(c.Key, d)
	}
}

// round is the decisions that a call makes as the leader. The first is its own.
type round struct {
	*Engine
	all []*decision
}

// only leaves all but the first n decisions to a later round.
func (r *round) only(n int) {
	r.env.Decisions().putBack(r.Key, r.all[n:])
	r.all = r.all[:n]
}

// lead makes the decisions.
func (r *round) lead() (outcome verbs.Reply) {
	outcome = verbs.Reply{Err: errUnfinished}
	made := r.env.Decisions()
	defer func() { r.tell(outcome) }()
	switch first := r.all[0]; {
	case first.order == nil:
		return r.race(CommitTries)
	case first.given:
		r.letAppend(first)
		return r.order()
	}
	if !made.orders.wanted(r.Key, r.env.Now()) {
		if outcome := r.race(racesLost); outcome.Status != verbs.Exists {
			return outcome
		}
		made.orders.note(r.Key, r.env.Now())
	}
	r.letAppend(r.all[0])
	return r.order()
}

// errUnfinished is what those are told whose leader was closed.
const errUnfinished = "SERVER_ERROR not finished"

// tell ends the lead, and tells the others the outcome.
func (r *round) tell(outcome verbs.Reply) {
	for _, d := range r.all {
		d.outcome = verbs.Reply{Status: outcome.Status, Err: outcome.Err}
	}
	r.endLead(r.all)
}

// race makes the decisions if the structure does not change meanwhile. After so many lost
// races it returns Exists, or Contended if the decisions can't be made otherwise.
func (r *round) race(tries int) verbs.Reply {
	r.holdAsLeader(r.all[0])
	defer r.hold(r.Key, false)
	defer r.GiveBack()
	g := ground{Engine: r.Engine, before: r.takeBefore(r.Key)}
	defer func() { g.tellRiders(verbs.Reply{Err: errUnfinished}) }()
	for range tries {
		if found := g.find(r.all[0].alone); found.Status != verbs.Hit {
			return found
		}
		decided := g.choose(&g.Pace, r.all)
		if decided == 0 {
			g.agreed(verbs.Reply{Status: verbs.Exists})
			continue
		}
		r.only(decided)
		switch outcome := g.carryOut(); outcome.Status {
		case verbs.Stored:
			outcome.Grown = len(g.tokens)
			return outcome
		case verbs.Exists:
		case verbs.NotStored, verbs.Missing: // the head is full or gone
			if settled := r.Settle(r.Key, min(r.HeadLimit(r.Key), verbs.SurelyTaken)); settled.Status == verbs.Failed {
				return settled
			}
		default:
			return outcome
		}
	}
	if r.all[0].order != nil {
		return verbs.Reply{Status: verbs.Exists}
	}
	return verbs.Contended(r.Shown(r.Key))
}
