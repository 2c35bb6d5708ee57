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
func (d *Deciding) begin(c *Engine) (next verbs.Step) {
	switch {
	case !c.FewWords() || d.alone(c) || d.Adds != nil && PerhapsFull(c.Call):
	case c.env.Decisions().led(c.Key):
		return c.await(d)
	default:
		next = c.decideAtOnce(d)
	}
	if len(next.Ops) == 0 {
		return d.anew(c.Call)
	}
	return next
}

// take takes the reply to what a call has asked for, or is called when it need not wait any more.
func (d *Deciding) take(c *Engine, r verbs.Reply) (next verbs.Step) {
	var outcome verbs.Reply
	switch awaited := c.atOnce.awaited; {
	case c.atOnce.stage == leading:
		outcome = c.ledAtOnce(r)
	case awaited.leads:
		if next = c.leadAtOnce(d); len(next.Ops) > 0 {
			return next
		}
	default:
		outcome = awaited.outcome
		c.atOnce.awaited, c.atOnce.stage = nil, apart
	}
	if c.atOnce.stage == resuming {
		return d.anew(c.Call)
	}
	d.Answer(c, outcome)
	if outcome.Grown > 0 && c.untidyDecided(outcome) {
		size := outcome.Size
		next.Go = func(call *verbs.Call) { EngineOf(call, d.Kind).TidyUp(call.Key, size) }
	}
	return next
}

// decide decides on a coroutine, answers and tidies up.
func (d *Deciding) decide(c *Engine) {
	if d.Adds != nil {
		if r := c.RoomToAdd(d.Adds(c)); r.Status == verbs.Failed {
			d.Answer(c, r)
			return
		}
	}
	r := c.decide(d.decision(c))
	d.Answer(c, r)
	c.TidyDecided(r)
}

// decision returns the decision of a call.
func (d *Deciding) decision(c *Engine) *decision {
	of := &decision{choose: d.Choose(c), alone: d.alone(c), create: d.Adds != nil}
	if d.Order != nil {
		of.order = d.Order(c)
	}
	return of
}

func (d *Deciding) alone(c *Engine) bool { return d.Alone != nil && d.Alone(c) }

// Few reports whether choosing among the elements of a structure is quick, as they fit one slice,
// see [verbs.Pace].
func Few(c *Engine, fold Fold) bool { return fold.Live()+fold.Dead() <= c.Pace.Slice }
