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
func (c *Engine) await(by *Deciding) verbs.Step {
	d := by.decision(c)
	d.kind = c.Kind
	c.enter(d)
	c.atOnce.awaited, c.atOnce.stage = d, waiting
	return c.Asks(by.replied, verbs.Op{Kind: verbs.Wait, Waiter: &d.waiter})
}

// decideAtOnce is called when no other call decides on the structure. It returns the append that carries
// out what the call decides on the view; none if the call needs more.
func (c *Engine) decideAtOnce(by *Deciding) (next verbs.Step) {
	v := c.viewToDecide(by)
	if v == nil {
		return next
	}
	d := &c.atOnce.own
	*d = decision{kind: c.Kind, choose: by.Choose(c)}
	c.atOnce.alone[0] = d
	c.enter(d)
	return c.lead(by, v, c.atOnce.alone[:])
}

// leadAtOnce is called when the call has become the leader. It returns the append that carries out what
// this call and those that wait decide on the view of the structure; none if that needs a coroutine. Then
// the call is resuming.
func (c *Engine) leadAtOnce(by *Deciding) (next verbs.Step) {
	d := c.atOnce.awaited
	c.atOnce.awaited, c.atOnce.stage = nil, resuming
	v := c.viewToDecide(by)
	if v == nil {
		c.letAppend(d)
		return next
	}
	return c.lead(by, v, c.env.Decisions().with(c.Key, d))
}

// lead makes all decisions, of which the first is the call's own, on a view, and returns the append of
// their tokens, as leadAtOnce does.
func (c *Engine) lead(by *Deciding, v *view, all []*decision) (next verbs.Step) {
	c.holdAsLeader(all[0])
	c.atOnce.stage = leading
	c.atOnce.led = ledAppend{
		ground{Engine: c, view: v, was: v.version, kept: true, unridden: !all[0].leads}, // no append can wait yet
		round{c, all},
	}
	g, r := &c.atOnce.led.ground, &c.atOnce.led.round
	var unhurried verbs.Pace
	decided := g.choose(&unhurried, all)
	r.only(max(decided, 1))
	if decided == 0 || len(g.tokens) > 0 && !Appended(c.env, c.Key, len(g.tokens)) || g.ends && len(g.segments) > 0 {
		c.ledAtOnce(verbs.Reply{Status: verbs.NotStored})
		return next
	}
	return c.Asks(by.replied, g.op())
}

// ledAtOnce takes the reply to that append. If it is Stored or Failed, it is final: ledAtOnce returns it
// as the outcome, as [Engine.Decide] does. Otherwise the structure has changed, and the call is resuming:
// it has to decide again, before the calls that wait.
func (c *Engine) ledAtOnce(r verbs.Reply) (outcome verbs.Reply) {
	led := c.atOnce.led
	c.atOnce.led, c.atOnce.stage = ledAppend{}, resuming
	c.hold(c.Key, false)
	switch outcome = led.ground.carriedOut(r); outcome.Status {
	case verbs.Stored:
		outcome.Grown = led.ground.grown()
	case verbs.Failed:
	default:
		led.round.only(1)
		c.before = led.ground.before
		return outcome
	}
	c.atOnce.stage = apart
	led.round.tell(outcome)
	c.atOnce.own = decision{}
	return outcome
}
