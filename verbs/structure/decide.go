package structure

import "github.com/memverbs/memverbs/verbs"

// The changes of some calls depend on the structure: popping a member requires one that
// is there. Such a call decides on its answer, and then appends the tokens that make it
// true, only if the head is unchanged. The calls of one event loop that decide on the
// same structure do so together: one of them, the leader, decides for all that wait, one
// after another, and appends all their tokens at once. So they never conflict with each
// other, and together take one round trip. Most do without a coroutine, see atonce.go. Those
// that lose races against others' appends all the time give orders instead, see order.go.

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

// Decide calls choose on the call's structure and carries out what that has decided. It
// returns Stored when that is done, Missing if there is no structure, or Failed. With
// alone set, other calls are not decided together with it. If order is not nil, it is given
// where others change the structure all the time; then nothing is Contended. If this call has
// led and appended, the reply has Grown and the head's Size.
func (c *Engine) Decide(alone bool, choose func(p *verbs.Pace, fold Fold) Choice, order *Order) verbs.Reply {
	return c.decide(&decision{choose: choose, alone: alone, order: order})
}

// EndDecided completes an answer of values that the call has decided on, given the outcome of
// [Engine.Decide].
func (c *Engine) EndDecided(r verbs.Reply) {
	switch r.Status {
	case verbs.Stored:
		c.End()
	case verbs.Missing:
		c.Answer = c.Answer[:0]
		c.End()
	default:
		c.Fail(r)
	}
}

// decide makes the decision d, or waits until another call has made it.
func (c *Engine) decide(d *decision) verbs.Reply {
	d.kind = c.Kind
	all := c.env.Decisions()
	if c.atOnce.stage == resuming {
		c.atOnce.stage = apart
	} else if !c.enter(d) {
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
	c.enter(d)
	c.waitFor(d)
	defer func() { c.endLead([]*decision{d}) }()
	c.holdAsLeader(d)
	defer c.hold(c.Key, false)
	do()
}

// Waits reports whether the call would wait if it decided now, or gave an order: other calls of the
// event loop do. An order that looks at the structure ([Order.Looks]) would see it as it is read after
// that.
func (c *Engine) Waits() bool { return c.env.Decisions().led(c.Key) }

// enter is [Decisions.join]. From now on the call takes effect before those that join later.
func (c *Engine) enter(d *decision) (leads bool) {
	c.InTurn = true
	return c.env.Decisions().join(c.Key, d)
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
