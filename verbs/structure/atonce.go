package structure

import "github.com/memverbs/memverbs/verbs"

// Calls that decide (decide.go) usually run without a coroutine, see [verbs.Verb.Begin]. These are the
// stages of such a call:
//
//	begin ──> deciding   no other call of the event loop decides on the structure: the call decides
//	                     on the view that is kept of it, and appends under the view's CAS
//	begin ──> waiting    others do: the call waits until their leader has decided for it,
//	                     or has made it the next leader
//	waiting > leading    it leads: it decides on the view for all that wait, and appends
//	these ──> resuming   it leads, and has lost a race or needs more than the view: it goes on with a
//	                     coroutine, still before all that wait, so that the calls take effect in the
//	                     order in which they began
//	all ────> apart      its decision has an outcome, or the call was closed

// stage is how far a call has come that decides without a coroutine.
type stage uint8

const (
	apart    stage = iota // it takes no part in such a decision
	deciding              // it leads, and its own decision is on its way
	waiting               // for the leader
	leading               // its decision is on its way, together with those that waited
	resuming              // it leads, and is to go on with a coroutine
)

// atOnce is a call's part in a decision without a coroutine.
type atOnce struct {
	stage      stage
	awaited    *decision  // while it is waiting
	sole       soleAppend // while it is deciding, see decideatonce.go
	led        ledAppend  // while it is leading, see leadatonce.go
	dead, live int        // elements before the decision
}

// Deciding is how the calls of a verb decide.
type Deciding struct {
	Kind *Kind
	// Choose returns what [Engine.Decide] calls to decide.
	Choose func(*Engine) func(*verbs.Pace, Fold) []byte
	// Brief reports whether choosing is quick.
	Brief func(*Engine, Fold) bool
	// Alone says that the call is not decided together with others, see [Engine.Decide]. Such a
	// call has a coroutine.
	Alone func(*Engine) bool
	// Creates says that the call creates its structure if there is none, see [Engine.DecideOrCreate].
	Creates bool
	// Order returns the call's order. It is nil if the verb has none.
	Order func(*Engine) *Order
	// Answer answers, given the outcome, which is Stored, Missing or Failed.
	Answer func(*Engine, verbs.Reply)
}

// Completes returns v completed by what its calls do without a coroutine.
func (d *Deciding) Completes(v verbs.Verb) verbs.Verb {
	v.Begin = func(c *verbs.Call) []verbs.Op { return d.begin(EngineOf(c, d.Kind)) }
	v.Finish = func(c *verbs.Call, replies []verbs.Reply) verbs.Next {
		return d.finish(EngineOf(c, d.Kind), replies[0])
	}
	return v
}

// begin is [verbs.Verb.Begin].
func (d *Deciding) begin(c *Engine) []verbs.Op {
	switch {
	case d.Alone(c):
		return nil
	case c.env.Decisions().led(c.Key):
		return c.await(d)
	}
	return c.decideAtOnce(d)
}

// finish is [verbs.Verb.Finish].
func (d *Deciding) finish(c *Engine, r verbs.Reply) (next verbs.Next) {
	var outcome verbs.Reply
	switch awaited := c.atOnce.awaited; {
	case c.atOnce.stage == deciding:
		outcome = c.decidedAtOnce(r)
	case c.atOnce.stage == leading:
		outcome = c.ledAtOnce(r)
	case awaited.leads:
		if next.Ops = c.leadAtOnce(d); len(next.Ops) > 0 {
			return next
		}
	default:
		outcome = awaited.outcome
		c.atOnce.awaited, c.atOnce.stage = nil, apart
	}
	if c.atOnce.stage == resuming {
		return c.Anew()
	}
	d.Answer(c, outcome)
	next.Run = c.tidyAtOnce(outcome)
	return next
}

// giveUp gives the lead to another call if this one does not decide any more.
func (c *Engine) giveUp() {
	unfinished := verbs.Reply{Err: errUnfinished}
	switch c.atOnce.stage {
	case waiting:
		c.leave(c.atOnce.awaited)
		c.atOnce.awaited = nil
	case leading:
		c.ledAtOnce(unfinished)
	case deciding:
		c.decidedAtOnce(unfinished)
	case resuming:
		c.endLead([]*decision{nil})
	}
	c.atOnce.stage = apart
}

// viewToDecide returns the view of the call's structure if it can be decided on quickly and without
// asking for anything, else nil.
func (c *Engine) viewToDecide(d *Deciding) *view {
	v, now := c.viewOf(c.Key), c.env.Now()
	if v == nil || v.users > 0 || v.replaced || v.wantsProbe(now) || !v.endsInSpace() || !c.advance(v) || !d.Brief(c, v.fold) ||
		d.Order != nil && c.env.Decisions().orders.wanted(c.Key, now) {
		return nil
	}
	return v
}

// tidyAtOnce returns what remains to be done after a decision that was made without a coroutine and
// had the outcome r, nil if nothing does.
func (c *Engine) tidyAtOnce(r verbs.Reply) (rest func(*verbs.Call)) {
	if r.Grown == 0 || !c.untidyFolded(r.Grown, r.Size, c.atOnce.dead, c.atOnce.live) {
		return nil
	}
	kind, size := c.Kind, r.Size
	return func(call *verbs.Call) { EngineOf(call, kind).TidyUp(call.Key, size) }
}

// Few reports whether choosing among the elements of a structure is quick, as they fit one slice,
// see [verbs.Pace].
func Few(c *Engine, fold Fold) bool { return fold.Live()+fold.Dead() <= c.Pace.Slice }
