package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Deciding describes how the calls of a verb decide, with or without a coroutine.
type Deciding struct {
	Kind *format.Kind
	// Choose returns the function choose of [Engine.Decide].
	Choose func(*Engine) func(*verbs.Pace, format.Fold) Choice
	// Brief reports whether choosing is quick. It is nil if it always is.
	Brief func(*Engine, format.Fold) bool
	// Alone says that the call is not decided together with others, see [Engine.Decide]. It is nil if
	// none is alone.
	Alone func(*Engine) bool
	// Adds returns how many bytes of elements the call adds to its structure, which is created if there
	// is none. It is nil for a verb that adds nothing.
	Adds func(*Engine) int
	// Order returns the call's order. It is nil if the verb has none.
	Order func(*Engine) *Order
	// Answer answers, given the outcome, which is Stored, Missing or Failed.
	Answer func(*Engine, verbs.Reply)

	anew    func(*verbs.Call) verbs.Step                // decides on a coroutine, from the beginning
	replied func(*verbs.Call, []verbs.Reply) verbs.Step // takes the reply to an operation of a call without a coroutine
}

// Run returns [verbs.Verb.Run] of the verb.
func (d Deciding) Run() func(*verbs.Call) verbs.Step {
	d.anew = verbs.Coroutine(func(c *verbs.Call) { d.decide(EngineOf(c, d.Kind)) })
	d.replied = func(c *verbs.Call, replies []verbs.Reply) verbs.Step { return d.take(EngineOf(c, d.Kind), replies[0]) }
	return func(c *verbs.Call) verbs.Step { return d.begin(EngineOf(c, d.Kind)) }
}

// begin returns the first step of a call.
func (d *Deciding) begin(e *Engine) (next verbs.Step) {
	switch {
	case !e.FewWords() || d.alone(e) || d.Adds != nil && PerhapsFull(e.Call):
	case e.env.Decisions().led(e.Key), Gathers(e.env, e.owner(e.Key), e.Key):
		return d.await(e)
	default:
		next = d.decideAtOnce(e)
	}
	if len(next.Ops) == 0 {
		return d.anew(e.Call)
	}
	return next
}

// take takes the reply to the call's operation, or is called when the call need not wait any more.
func (d *Deciding) take(e *Engine, r verbs.Reply) (next verbs.Step) {
	var outcome verbs.Reply
	switch awaited := e.atOnce.awaited; {
	case e.atOnce.stage == leading:
		outcome = e.ledAtOnce(r)
	case awaited.lead.isPromoted():
		if next = d.leadAtOnce(e); len(next.Ops) > 0 {
			return next
		}
	default:
		outcome = awaited.outcome
		e.atOnce.awaited, e.atOnce.stage = nil, apart
	}
	if e.atOnce.stage == resuming {
		return d.anew(e.Call)
	}
	d.Answer(e, outcome)
	if outcome.Grown > 0 && e.untidyDecided(outcome) {
		size := outcome.Size
		next.Go = func(call *verbs.Call) { EngineOf(call, d.Kind).TidyUp(call.Key, size) }
	}
	return next
}

// decide decides on a coroutine, answers, and tidies up.
func (d *Deciding) decide(e *Engine) {
	if d.Adds != nil {
		if r := e.RoomToAdd(d.Adds(e)); r.Status == verbs.Failed {
			d.Answer(e, r)
			return
		}
	}
	r := e.decide(d.decision(e))
	d.Answer(e, r)
	e.TidyDecided(r)
}

// decision returns the decision of a call.
func (d *Deciding) decision(e *Engine) *decision {
	of := &decision{choose: d.Choose(e), alone: d.alone(e), create: d.Adds != nil}
	if d.Order != nil {
		of.order = d.Order(e)
	}
	return of
}

func (d *Deciding) alone(e *Engine) bool { return d.Alone != nil && d.Alone(e) }

// Few reports whether the elements of a structure are so few that choosing among them takes no more
// than a slice, see [verbs.Pace].
func Few(e *Engine, fold format.Fold) bool { return fold.Live()+fold.Dead() <= e.Pace.Slice }

// await makes the call wait, without a coroutine, until the leader has decided for it, or has made
// it the leader.
func (d *Deciding) await(e *Engine) verbs.Step {
	own := d.decision(e)
	own.kind = e.Kind
	e.enter(own)
	e.atOnce.awaited, e.atOnce.stage = own, waiting
	return e.Asks(d.replied, verbs.Op{Kind: verbs.Wait, Waiter: &own.waiter})
}

// decideAtOnce is called when no other call decides on the structure. The call decides on the view, and
// decideAtOnce returns the append of its tokens; the zero Step if the call needs more than the view.
func (d *Deciding) decideAtOnce(e *Engine) (next verbs.Step) {
	v := d.viewToDecide(e)
	if v == nil {
		return next
	}
	own := &e.atOnce.own
	*own = decision{kind: e.Kind, choose: d.Choose(e)}
	e.atOnce.alone[0] = own
	e.enter(own)
	return e.lead(d.replied, v, e.atOnce.alone[:])
}

// leadAtOnce is called when the call has become the leader. This call and those that wait decide on the
// view, and leadAtOnce returns the append of their tokens; the zero Step if that needs a coroutine. Then
// the call is resuming.
func (d *Deciding) leadAtOnce(e *Engine) (next verbs.Step) {
	own := e.atOnce.awaited
	e.atOnce.awaited, e.atOnce.stage = nil, resuming
	v := d.viewToDecide(e)
	if v == nil {
		e.letAppend(own)
		return next
	}
	return e.lead(d.replied, v, e.env.Decisions().with(e.Key, own))
}

// viewToDecide returns the view of the call's structure if the call can decide on it quickly and
// without any operation, else nil.
func (d *Deciding) viewToDecide(e *Engine) *views.View {
	v := e.viewOf(e.Key)
	if v == nil || !v.Decidable(e.env.Uptime()) || !e.advance(v) || d.Brief != nil && !d.Brief(e, v.Fold) ||
		d.Order != nil && e.Contended() || d.Order == nil && e.env.Precedence().taken(e.Key) {
		return nil
	}
	return v
}
