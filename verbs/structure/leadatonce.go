package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// A call leads without a coroutine if no other call decides on the structure, or when it becomes the
// leader after it has waited.

// lead makes all decisions on a view, the call's own first, and returns the append of their tokens,
// whose reply then takes; the zero Step if that needs a coroutine.
func (l *leader) lead(then func(*verbs.Call, []verbs.Reply) verbs.Step, v *views.View, all []*decision) (next verbs.Step) {
	l.holdAsLeader(all[0])
	l.atOnce.stage = leading
	l.atOnce.led = ledAppend{
		ground{l: l, view: v, claim: shared, was: v.Version, company: noneTaken},
		round{l, all},
	}
	g, r := &l.atOnce.led.ground, &l.atOnce.led.round
	if !all[0].lead.isPromoted() { // no append can wait yet
		g.company = takesNone
	}
	var unhurried verbs.Pace
	decided := g.choose(&unhurried, all)
	r.only(max(decided, 1))
	if decided == 0 || len(g.tokens) > 0 && !Appended(l.env, l.Key, len(g.tokens)) || g.ends && len(g.segments) > 0 {
		l.ledAtOnce(verbs.Reply{Status: verbs.NotStored})
		return next
	}
	return l.Asks(then, g.op())
}

// ledAtOnce takes the reply to that append. If the reply is Stored or Failed, it is final, and ledAtOnce
// returns the outcome as [Engine.Decide] does. Otherwise the structure has changed, and the call is
// resuming: it has to decide again, before the calls that wait.
func (l *leader) ledAtOnce(r verbs.Reply) (outcome verbs.Reply) {
	led := l.atOnce.led
	l.atOnce.led, l.atOnce.stage = ledAppend{}, resuming
	l.hold(l.Key, false)
	switch outcome = led.ground.carriedOut(r); outcome.Status {
	case verbs.Stored:
		outcome.Grown = led.ground.grown()
	case verbs.Failed:
	default:
		led.round.only(1)
		l.loader.before = led.ground.before
		return outcome
	}
	l.atOnce.stage = apart
	led.round.tell(outcome)
	l.atOnce.own = decision{}
	return outcome
}

// passLead makes another call the leader if this one does not decide any more.
func (l *leader) passLead() {
	unfinished := verbs.Reply{Err: errUnfinished}
	switch l.atOnce.stage {
	case waiting:
		l.leave(l.atOnce.awaited)
		l.atOnce.awaited = nil
	case leading:
		l.ledAtOnce(unfinished)
	case resuming:
		l.endLead([]*decision{nil})
	}
	l.atOnce.stage = apart
}
