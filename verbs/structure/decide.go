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
func (e *Engine) endLead(all []*decision) {
	next := e.env.Decisions().done(e.Key, all)
	if next != nil && !e.env.Overdue(e.owner(e.Key), e.Key) {
		next.held = true
		e.hold(e.Key, true)
	}
}

// holdAsLeader holds back others' appends while d leads, unless endLead has begun to do so already.
func (e *Engine) holdAsLeader(d *decision) {
	if !d.held {
		e.hold(e.Key, true)
	}
	d.held = false
}

// letAppend ends what endLead has begun, if the call of d does not hold back appends itself.
func (e *Engine) letAppend(d *decision) {
	if d.held {
		d.held = false
		e.hold(e.Key, false)
	}
}

// Decide calls choose on the call's structure and carries out what that has decided. It
// returns Stored when that is done, Missing if there is no structure, or Failed. With
// alone set, other calls are not decided together with it. If order is not nil, it is given
// where others change the structure all the time; then nothing is Contended. If this call has
// led and appended, the reply has Grown and the head's Size.
func (e *Engine) Decide(alone bool, choose func(p *verbs.Pace, fold Fold) Choice, order *Order) verbs.Reply {
	return e.decide(&decision{choose: choose, alone: alone, order: order})
}

// EndDecided completes an answer of values that the call has decided on, given the outcome of
// [Engine.Decide].
func (e *Engine) EndDecided(r verbs.Reply) {
	switch r.Status {
	case verbs.Stored:
		e.End()
	case verbs.Missing:
		e.Answer = e.Answer[:0]
		e.End()
	default:
		e.Fail(r)
	}
}

// decide makes the decision d, or waits until another call has made it.
func (e *Engine) decide(d *decision) verbs.Reply {
	d.kind = e.Kind
	all := e.env.Decisions()
	if e.atOnce.stage == resuming {
		e.atOnce.stage = apart
	} else if !e.enter(d) {
		e.waitFor(d)
		if !d.leads {
			return d.outcome
		}
	}
	led := round{e, all.with(e.Key, d)}
	return led.lead()
}

// inTurn calls do, which swaps the head of the call's structure. If other calls of the event loop
// decide on that, the call leads meanwhile and holds back appends: they might come without a pause,
// and do would lose every race against them.
func (e *Engine) inTurn(do func()) {
	if e.Of != nil || !e.env.Decisions().led(e.Key) {
		do()
		return
	}
	d := &decision{kind: e.Kind, alone: true}
	e.enter(d)
	e.waitFor(d)
	defer func() { e.endLead([]*decision{d}) }()
	e.holdAsLeader(d)
	defer e.hold(e.Key, false)
	do()
}

// Waits reports whether the call would wait if it decided now, or gave an order: other calls of the
// event loop do. An order that looks at the structure ([Order.Looks]) would see it as it is read after
// that.
func (e *Engine) Waits() bool { return e.env.Decisions().led(e.Key) }

// enter is [Decisions.join]. From now on the call takes effect before those that join later.
func (e *Engine) enter(d *decision) (leads bool) {
	e.InTurn = true
	return e.env.Decisions().join(e.Key, d)
}

// waitFor waits until the leader has decided d, or made it the leader. It drops what the call has
// loaded, and gives back the room for that, as the leader may be waiting for room.
func (e *Engine) waitFor(d *decision) {
	e.LetGo()
	e.KeepRoom(0)
	woken := false
	defer func() {
		if !woken { // the routine was closed
			e.leave(d)
		}
	}()
	e.Wait(&d.waiter)
	woken = true
}

// leave ends the waiting of a call that was closed.
func (e *Engine) leave(d *decision) {
	if d.leads {
		e.letAppend(d)
		e.endLead([]*decision{d})
	} else {
		e.env.Decisions().leave(e.Key, d)
	}
}
