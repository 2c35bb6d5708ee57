package structure

import "github.com/memverbs/memverbs/verbs"

// Deciding is how the calls of a verb decide, whether or not that takes a coroutine.
type Deciding struct {
	Kind *Kind
	// Choose returns what decides, see [Engine.Decide].
	Choose func(*Engine) func(*verbs.Pace, Fold) Choice
	// Brief reports whether choosing is quick. It is nil if it always is.
	Brief func(*Engine, Fold) bool
	// Alone says that the call is not decided together with others, see [Engine.Decide]. It is nil if
	// none is alone.
	Alone func(*Engine) bool
	// Adds returns how many bytes of elements the call adds to its structure, which it creates if there
	// is none. It is nil for a verb that adds nothing.
	Adds func(*Engine) int
	// Order returns the call's order. It is nil if the verb has none.
	Order func(*Engine) *Order
	// Answer answers, given the outcome, which is Stored, Missing or Failed.
	Answer func(*Engine, verbs.Reply)

	anew    func(*verbs.Call) verbs.Step                // decides on a coroutine
	replied func(*verbs.Call, []verbs.Reply) verbs.Step // takes the reply to what a call without one has asked for
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
	case e.env.Decisions().led(e.Key):
		return e.await(d)
	default:
		next = e.decideAtOnce(d)
	}
	if len(next.Ops) == 0 {
		return d.anew(e.Call)
	}
	return next
}

// take takes the reply to what a call has asked for, or is called when it need not wait any more.
func (d *Deciding) take(e *Engine, r verbs.Reply) (next verbs.Step) {
	var outcome verbs.Reply
	switch awaited := e.atOnce.awaited; {
	case e.atOnce.stage == leading:
		outcome = e.ledAtOnce(r)
	case awaited.leads:
		if next = e.leadAtOnce(d); len(next.Ops) > 0 {
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

// decide decides on a coroutine, answers and tidies up.
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

// Few reports whether choosing among the elements of a structure is quick, as they fit one slice,
// see [verbs.Pace].
func Few(e *Engine, fold Fold) bool { return fold.Live()+fold.Dead() <= e.Pace.Slice }
