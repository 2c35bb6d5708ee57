package structure

import "github.com/memverbs/memverbs/verbs"

// A call that meets others waits, and leads when its turn comes, see [waiting] and [leading].

// ledAppend is the append of what the call has decided for itself and for those that waited.
type ledAppend struct {
	ground ground
	round  round
}

// await has the call wait without a coroutine until the leader has decided for it, or has made it
// the leader.
func (c *Engine) await(by *Deciding) []verbs.Op {
	d := &decision{kind: c.Kind, choose: by.Choose(c), create: by.Creates}
	if by.Order != nil {
		d.order = by.Order(c)
	}
	c.enter(d)
	c.atOnce.awaited, c.atOnce.stage = d, waiting
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.Wait, Waiter: &d.waiter})
	return c.Ops
}

// leadAtOnce is called when the call has become the leader. It decides on the view of the structure
// for this call and for those that wait, and returns the append of all their tokens. It returns none
// if that needs a coroutine; then the call is resuming.
func (c *Engine) leadAtOnce(by *Deciding) []verbs.Op {
	d := c.atOnce.awaited
	c.atOnce.awaited, c.atOnce.stage = nil, resuming
	v := c.viewToDecide(by)
	if v == nil {
		c.letAppend(d)
		return nil
	}
	c.holdAsLeader(d)
	c.atOnce = atOnce{
		stage: leading,
		led:   ledAppend{ground{Engine: c, view: v, was: *v, kept: true}, round{c, c.env.Decisions().with(c.Key, d)}},
		dead:  v.fold.Dead(), live: v.fold.Live(),
	}
	c.env.Views().drop(v)
	g, r := &c.atOnce.led.ground, &c.atOnce.led.round
	var unhurried verbs.Pace
	decided := g.choose(&unhurried, r.all)
	r.only(max(decided, 1))
	if decided == 0 || len(g.tokens) > 0 && !Appended(c.env, c.Key, len(g.tokens)) {
		c.ledAtOnce(verbs.Reply{Status: verbs.NotStored})
		return nil
	}
	c.Ops = append(c.Ops[:0], g.op())
	return c.Ops
}

// ledAtOnce handles the reply to the append of leadAtOnce. It returns the outcome if the reply is
// final, as decidedAtOnce does. Otherwise the structure had changed, and the call is resuming.
func (c *Engine) ledAtOnce(r verbs.Reply) (outcome verbs.Reply) {
	led := c.atOnce.led
	c.atOnce.led, c.atOnce.stage = ledAppend{}, resuming
	c.hold(c.Key, false)
	switch outcome = led.ground.carriedOut(r); outcome.Status {
	case verbs.Stored:
		outcome.Grown = len(led.ground.tokens)
	case verbs.Failed:
	default:
		led.round.only(1)
		c.before = led.ground.before
		return outcome
	}
	c.atOnce.stage = apart
	led.round.tell(outcome)
	return outcome
}
