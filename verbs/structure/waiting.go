package structure

import "github.com/memverbs/memverbs/verbs"

// await has the call wait without a coroutine until the leader has decided for it, or has made it
// the leader.
func (c *Engine) await(by *Deciding) []verbs.Op {
	d := &decision{kind: c.Kind, choose: by.Choose(c), create: by.Creates}
	if by.Order != nil {
		d.order = by.Order(c)
	}
	c.enter(d)
	c.awaited = d
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.Wait, Waiter: &d.waiter})
	return c.Ops
}

// leadAtOnce is called when the call has become the leader. It decides on the view of the structure
// for this call and for those that wait, and returns the append of all their tokens. It returns none
// if that needs a coroutine; then the call goes on with one, and still is the leader.
func (c *Engine) leadAtOnce(by *Deciding) []verbs.Op {
	d := c.awaited
	c.awaited, c.leads = nil, true
	v := c.viewToDecide(by)
	if v == nil {
		c.letAppend(d)
		return nil
	}
	c.leads = false
	c.holdAsLeader(d)
	c.round = roundAtOnce{ground: ground{Engine: c, view: v, was: *v, kept: true}, round: round{c, c.env.Decisions().with(c.Key, d)}}
	r := &c.round
	c.atOnce.dead, c.atOnce.live = v.fold.Dead(), v.fold.Live()
	c.env.Views().drop(v)
	var unhurried verbs.Pace
	decided := r.choose(&unhurried, r.all)
	r.only(max(decided, 1))
	if decided == 0 || len(r.tokens) > 0 && !Appended(c.env, c.Key, len(r.tokens)) {
		c.ledAtOnce(verbs.Reply{Status: verbs.NotStored})
		return nil
	}
	c.Ops = append(c.Ops[:0], r.op())
	return c.Ops
}

// roundAtOnce is the decisions that a call has made as the leader, without a coroutine, and that are
// on their way.
type roundAtOnce struct {
	ground // its view is nil once the append has been answered
	round
}

// ledAtOnce takes the reply to the append of leadAtOnce. It returns the outcome, and false if the
// structure had changed: then the call goes on as the leader.
func (c *Engine) ledAtOnce(r verbs.Reply) (outcome verbs.Reply, ok bool) {
	led := &c.round
	c.hold(c.Key, false)
	switch outcome = led.carriedOut(r); outcome.Status {
	case verbs.Stored:
		outcome.Grown = len(led.tokens)
	case verbs.Failed:
	default:
		led.only(1)
		c.before, c.leads = led.before, true
		c.round = roundAtOnce{}
		return outcome, false
	}
	led.tell(outcome)
	c.round = roundAtOnce{}
	return outcome, true
}
