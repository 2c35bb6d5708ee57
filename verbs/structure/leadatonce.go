package structure

import "github.com/memverbs/memverbs/verbs"

// A call leads without a coroutine if it meets no other, or when its turn comes after it has waited.

// ledAppend is the append of what the call has decided for itself and for those that waited.
type ledAppend struct {
	ground ground
	round  round
}

// await has the call wait without a coroutine until the leader has decided for it, or has made it
// the leader.
func (e *Engine) await(by *Deciding) verbs.Step {
	d := by.decision(e)
	d.kind = e.Kind
	e.enter(d)
	e.atOnce.awaited, e.atOnce.stage = d, waiting
	return e.Asks(by.replied, verbs.Op{Kind: verbs.Wait, Waiter: &d.waiter})
}

// decideAtOnce is called when no other call decides on the structure. It returns the append that carries
// out what the call decides on the view; none if the call needs more.
func (e *Engine) decideAtOnce(by *Deciding) (next verbs.Step) {
	v := e.viewToDecide(by)
	if v == nil {
		return next
	}
	d := &e.atOnce.own
	*d = decision{kind: e.Kind, choose: by.Choose(e)}
	e.atOnce.alone[0] = d
	e.enter(d)
	return e.lead(by, v, e.atOnce.alone[:])
}

// leadAtOnce is called when the call has become the leader. It returns the append that carries out what
// this call and those that wait decide on the view of the structure; none if that needs a coroutine. Then
// the call is resuming.
func (e *Engine) leadAtOnce(by *Deciding) (next verbs.Step) {
	d := e.atOnce.awaited
	e.atOnce.awaited, e.atOnce.stage = nil, resuming
	v := e.viewToDecide(by)
	if v == nil {
		e.letAppend(d)
		return next
	}
	return e.lead(by, v, e.env.Decisions().with(e.Key, d))
}

// lead makes all decisions, of which the first is the call's own, on a view, and returns the append of
// their tokens, as leadAtOnce does.
func (e *Engine) lead(by *Deciding, v *view, all []*decision) (next verbs.Step) {
	e.holdAsLeader(all[0])
	e.atOnce.stage = leading
	e.atOnce.led = ledAppend{
		ground{e: e, view: v, was: v.version, kept: true, alone: !all[0].leads}, // no append can wait yet
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
	return e.Asks(by.replied, g.op())
}

// ledAtOnce takes the reply to that append. If it is Stored or Failed, it is final: ledAtOnce returns it
// as the outcome, as [Engine.Decide] does. Otherwise the structure has changed, and the call is resuming:
// it has to decide again, before the calls that wait.
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
