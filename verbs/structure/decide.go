package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// The changes of some calls depend on the structure: popping a member requires that it is there.
// Such a call reads the structure, decides on its answer, and then appends the tokens that make the
// answer true, only if the head is unchanged. The calls of one event loop that decide on the same
// structure do so together: one of them, the leader, makes the decisions of all that wait, one
// after another, and appends all their tokens at once. So they never conflict with each other, and
// together take one round trip. Most need no coroutine, see atonce.go. If they lose race after race
// against appends by others, they append orders instead, see order.go.

// Decide calls choose with the call's structure and carries out the choice. It returns Stored when
// that is done, Missing if there is no structure, or Failed. If alone is set, it is not decided
// together with other calls. If order is not nil, it is appended when others change the structure
// all the time, instead of failing with [verbs.Contended]. If this call was the leader and has
// appended, the reply has Grown and the head's Size.
func (l *leader) Decide(alone bool, choose func(p *verbs.Pace, fold format.Fold) Choice, order *Order) verbs.Reply {
	return l.decide(&decision{choose: choose, alone: alone, order: order})
}

// DecideToAdd is [Engine.Decide] for a call that creates the structure if there is none. If choose returns tokens, first
// is carried out before they are appended; it may be nil. With first, the call must not have to wait, see
// [Engine.Waits]: what others decide would not wait for it. Whether the tokens were appended does not depend on its
// reply.
func (l *leader) DecideToAdd(first *First, choose func(p *verbs.Pace, fold format.Fold) Choice) verbs.Reply {
	return l.decide(&decision{choose: choose, first: first, create: true})
}

// EndDecided completes an answer of values that the call has decided on, given the outcome of
// [Engine.Decide].
func (l *leader) EndDecided(r verbs.Reply) {
	switch r.Status {
	case verbs.Stored:
		l.End()
	case verbs.Missing:
		l.Answer = l.Answer[:0]
		l.End()
	default:
		l.Fail(r)
	}
}

// LineDecided completes an answer of one line that the call has decided on, given the outcome of [Engine.Decide].
func (l *leader) LineDecided(r verbs.Reply) {
	if r.Status != verbs.Stored || len(l.Answer) == 0 {
		l.Fail(r)
		return
	}
	l.Answer = append(l.Answer, "\r\n"...)
	l.Done()
}

// SayDecided answers a call that has changed the structure and tells nothing else, given the outcome of
// [Engine.Decide].
func (l *leader) SayDecided(r verbs.Reply) { l.SayOutcome(r, "STORED", "NOT_FOUND") }

// decide makes the decision d, or waits until the leader has made it.
func (l *leader) decide(d *decision) verbs.Reply {
	d.kind = l.Kind
	all := l.env.Decisions()
	if l.atOnce.stage == resuming {
		l.atOnce.stage = apart
	} else if !l.enter(d) {
		l.waitFor(d)
		if !d.lead.isPromoted() {
			return d.outcome
		}
	}
	led := round{l, all.with(l.Key, d)}
	return led.lead()
}

// GiveOrder appends an order that the call has derived from what it has just read, and returns what
// [Engine.Decide] does. The orders of other calls of the event loop are appended together with it.
func (l *leader) GiveOrder(order *Order) verbs.Reply {
	return l.decide(&decision{order: order, given: true})
}

// lead makes the decisions, and creates the structure if necessary.
func (r *round) lead() (outcome verbs.Reply) {
	outcome = verbs.Reply{Err: errUnfinished}
	defer func() {
		r.l.Serves = false
		r.tell(outcome)
	}()
	r.serve()
	for range verbs.MaxTries {
		decided := r.make()
		if decided.Status == verbs.Missing && r.all[0].create {
			decided = r.create()
		}
		if decided.Status != verbs.NotStored && decided.Status != verbs.Exists {
			return decided
		}
	}
	return verbs.Contended(r.l.Shown(r.l.Key))
}

// make makes the decisions on the existing structure.
func (r *round) make() verbs.Reply {
	switch first := r.all[0]; {
	case first.order == nil:
		return r.raceAlone()
	case first.given:
		r.l.letAppend(first)
		return r.order()
	}
	if !r.l.Contended() {
		if outcome := r.race(racesLost, verbs.Reply{Status: verbs.Exists}); outcome.Status != verbs.Exists {
			return outcome
		}
		r.l.NoteContended()
	}
	r.l.letAppend(r.all[0])
	return r.order()
}

// raceAlone makes decisions that can't be carried out as orders. If it loses some races, it asks for [Precedence] over the
// other loops of the process.
func (r *round) raceAlone() verbs.Reply {
	precedence := r.l.env.Precedence()
	if precedence.taken(r.l.Key) {
		if own := r.place(); precedence.stop(r.l.Key, own) {
			r.wait(own)
		}
	}
	if !r.l.env.Decisions().orders.always {
		if outcome := r.race(racesLost, verbs.Reply{Status: verbs.Exists}); outcome.Status != verbs.Exists {
			return outcome
		}
	}
	own := r.place()
	if !precedence.ask(r.l.Key, own) {
		r.wait(own)
	}
	defer precedence.leave(r.l.Key, own)
	return r.race(CommitTries, verbs.Contended(r.l.Shown(r.l.Key)))
}

// place returns a place in a line for the leader.
func (r *round) place() *place { return &place{post: r.l.env.Post} }

// wait waits until the leader is woken at its place in a line. The calls that have begun to wait for the leader meanwhile
// decide together with it.
func (r *round) wait(own *place) {
	r.l.letAppend(r.all[0])
	r.l.loader.drop()
	r.l.KeepReserved(0)
	r.l.Wait(&own.waiter, func() { r.l.env.Precedence().leave(r.l.Key, own) })
	r.only(1)
	r.all = r.l.env.Decisions().with(r.l.Key, r.all[0])
	r.serve()
}

// serve notes whether the leader decides for other calls, too.
func (r *round) serve() { r.l.Serves = len(r.all) > 1 }
