package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// A call leads without a coroutine if no other call decides on the structure, or when it becomes the
// leader after it has waited.

// lead makes all decisions on a view, the call's own first, and returns the append of their tokens,
// whose reply then takes; the zero Step if that needs a coroutine.
func (e *Engine) lead(then func(*verbs.Call, []verbs.Reply) verbs.Step, v *views.View, all []*decision) (next verbs.Step) {
	e.holdAsLeader(all[0])
	e.atOnce.stage = leading
	e.atOnce.led = ledAppend{
		ground{e: e, view: v, was: v.Version, kept: true, alone: !all[0].leads}, // no append can wait yet
		round{e, all},
	}
	g, r := &e.atOnce.led.ground, &e.atOnce.led.round
	var unhurried verbs.Pace
	decided := g.choose(&unhurried, all)
	r.only(max(decided, 1))
	if decided == 0 || len(g.tokens) > 0 && !Appended(e.env, e.Key, len(g.tokens)) || g.ends && len(g.segments) > 0 {
		e.ledAtOnce(verbs.Reply{Status: verbs.NotStored})
		return next
	}
	return e.Asks(then, g.op())
}

// ledAtOnce takes the reply to that append. If the reply is Stored or Failed, it is final, and ledAtOnce
// returns the outcome as [Engine.Decide] does. Otherwise the structure has changed, and the call is
// resuming: it has to decide again, before the calls that wait.
func (e *Engine) ledAtOnce(r verbs.Reply) (outcome verbs.Reply) {
	led := e.atOnce.led
	e.atOnce.led, e.atOnce.stage = ledAppend{}, resuming
	e.hold(e.Key, false)
	switch outcome = led.ground.carriedOut(r); outcome.Status {
	case verbs.Stored:
		outcome.Grown = led.ground.grown()
	case verbs.Failed:
	default:
		led.round.only(1)
		e.before = led.ground.before
		return outcome
	}
	e.atOnce.stage = apart
	led.round.tell(outcome)
	e.atOnce.own = decision{}
	return outcome
}

// passLead makes another call the leader if this one does not decide any more.
func (e *Engine) passLead() {
	unfinished := verbs.Reply{Err: errUnfinished}
	switch e.atOnce.stage {
	case waiting:
		e.leave(e.atOnce.awaited)
		e.atOnce.awaited = nil
	case leading:
		e.ledAtOnce(unfinished)
	case resuming:
		e.endLead([]*decision{nil})
	}
	e.atOnce.stage = apart
}
