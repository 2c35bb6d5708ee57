package structure

import "github.com/memverbs/memverbs/verbs"

// Calls that decide (decide.go) usually run without a coroutine, see [verbs.Verb.Begin]:
//
//   - One that meets nobody, as no other call of the event loop decides on the structure, decides
//     on the view that is kept of it, and is a single append under the view's CAS.
//   - One that meets others waits until the leader has decided for it (waiting.go), or
//   - has made it the next leader. Then it decides on the view for all that wait.
//
// One that loses a race goes on as the leader with a coroutine, so that the calls take effect in the
// order in which they began.

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
	outcome, decided := r, false
	switch {
	case c.awaited == nil && c.round.view == nil:
		outcome, decided = c.decidedAtOnce(r)
	case c.awaited == nil:
		outcome, decided = c.ledAtOnce(r)
	case c.awaited.leads:
		if next.Ops = c.leadAtOnce(d); len(next.Ops) > 0 {
			return next
		}
	default:
		outcome, decided = c.awaited.outcome, true
		c.awaited = nil
	}
	if !decided {
		return c.Anew()
	}
	d.Answer(c, outcome)
	next.Run = c.tidyAtOnce(outcome)
	return next
}

// atOnce is a decision that was made without a coroutine and is on its way.
type atOnce struct {
	view       *view       // nil once the append has been answered
	was        verbs.Reply // the CAS, size and epoch that the view had
	tokens     []byte
	dead, live int // elements before
}

// decideAtOnce returns the append that carries out what the call has decided on the view of its
// structure; none if the call needs more.
func (c *Engine) decideAtOnce(d *Deciding) []verbs.Op {
	v := c.viewToDecide(d)
	if v == nil {
		return nil
	}
	var unhurried verbs.Pace
	tokens := d.Choose(c)(&unhurried, v.fold)
	if len(tokens) == 0 || !Appended(c.env, c.Key, len(tokens)) {
		c.Answer = c.Answer[:0]
		return nil
	}
	c.enter(nil)
	c.hold(c.Key, true)
	c.atOnce = atOnce{v, verbs.Reply{CAS: v.cas, Size: v.size, Epoch: v.epoch}, tokens, v.fold.Dead(), v.fold.Live()}
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.AppendIf, Key: c.Key, Data: tokens, CAS: v.cas, Epoch: v.epoch})
	return c.Ops
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

// decidedAtOnce handles the reply to the append of decideAtOnce. If it is Stored or Failed, it is
// final, and decidedAtOnce returns the outcome, as [Engine.Decide] does, and true. Otherwise the
// structure has changed, and decidedAtOnce returns false: the call has to decide again, as the
// leader, before the calls that wait.
func (c *Engine) decidedAtOnce(r verbs.Reply) (outcome verbs.Reply, ok bool) {
	v := c.atOnce.view
	c.hold(c.Key, false)
	if c.atOnce.view = nil; r.Status != verbs.Stored && r.Status != verbs.Failed {
		c.env.Views().note(false, false)
		c.before, c.leads = v, true
		return r, false
	}
	c.endLead([]*decision{nil})
	if r.Status == verbs.Stored {
		c.env.Views().note(false, true)
		r.Grown = len(c.atOnce.tokens)
		c.extendView(v, &r)
	}
	return r, true
}

// giveUp gives the lead to another call if this one does not decide any more.
func (c *Engine) giveUp() {
	switch {
	case c.awaited != nil:
		c.leave(c.awaited)
		c.awaited = nil
	case c.round.view != nil:
		c.ledAtOnce(verbs.Reply{Err: errUnfinished})
	case c.atOnce.view != nil:
		c.hold(c.Key, false)
		c.atOnce.view, c.leads = nil, true
	}
	if c.leads {
		c.leads = false
		c.endLead([]*decision{nil})
	}
}

// extendView brings the view up to date with the append, to which r is the reply, unless it has
// changed since.
func (c *Engine) extendView(v *view, r *verbs.Reply) {
	was := &c.atOnce.was
	switch {
	case v.gone || v.users > 0 || v.cas != was.CAS || v.size != was.Size || v.epoch != was.Epoch:
	case r.CAS == 0 || r.Size != was.Size+len(c.atOnce.tokens):
	case v.extend(c.atOnce.tokens, c.env.Now()):
		v.cas, v.size = r.CAS, r.Size
		c.env.Views().grown(v)
	default:
		c.env.Views().drop(v)
	}
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
