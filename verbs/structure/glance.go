package structure

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// If a view of the structure is kept, a call that reads it usually consists of a probe of the head
// and an answer from the view. It needs no coroutine.

// Glancing describes how the calls of a verb answer from a view.
type Glancing struct {
	Kind *format.Kind
	// Brief reports whether the call can answer from the fold of a view quickly, without asking for anything.
	Brief func(*verbs.Call, format.Fold) bool
	// Answer answers from the fold.
	Answer func(*verbs.Call, format.Fold)
	// Also returns an operation to ask for together with the probe, given the fold of a view that may be outdated; and false
	// if none is needed. It is nil for a verb that needs only the structure.
	Also func(*verbs.Call, format.Fold) (op verbs.Op, ok bool)
	// AnswerAlso is Answer, given the reply to that operation, nil if there was none. It returns false if the call has to
	// read the structure.
	AnswerAlso func(c *verbs.Call, fold format.Fold, also *verbs.Reply) bool
	// Reads is [verbs.Verb.Run] of a call that reads the structure.
	Reads func(*verbs.Call) verbs.Step
}

// Complete returns v with what carries it out.
func (g Glancing) Complete(v verbs.Verb) verbs.Verb {
	v.Run = g.run()
	if g.fromMemory() {
		v.Glance = func(c *verbs.Call) { g.answersRecent(c, c.Env.(Env).Views().Of(c.Key, g.Kind)) }
	}
	return v
}

// fromMemory reports whether some calls of the verb need no probe.
func (g *Glancing) fromMemory() bool { return g.Kind.Complete && g.Also == nil }

// run returns [verbs.Verb.Run] of the verb.
func (g *Glancing) run() func(*verbs.Call) verbs.Step {
	probed := func(c *verbs.Call, replies []verbs.Reply) verbs.Step { return g.probed(c, replies) }
	return func(c *verbs.Call) verbs.Step {
		v := g.viewFor(c)
		if v == nil {
			return g.Reads(c)
		}
		if g.fromMemory() {
			if g.answersRecent(c, v) {
				return verbs.Step{}
			}
			c.Asked = c.Env.(Env).AsksNow(c.Key)
		}
		probe := verbs.Op{Kind: verbs.Probe, Key: c.Key}
		if g.Also != nil {
			if also, ok := g.Also(c, v.Fold); ok {
				return c.Asks(probed, probe, also)
			}
		}
		return c.Asks(probed, probe)
	}
}

// answersRecent answers from a view, which may be nil, if that needs no probe, and reports whether it did.
func (g *Glancing) answersRecent(c *verbs.Call, v *views.View) bool {
	if v == nil || v.Indirect || !recent(c, c.Key, v) || !g.Brief(c, v.Fold) {
		return false
	}
	g.Answer(c, v.Fold)
	return true
}

// viewFor returns the view that is kept of the call's structure, nil if there is none, or if the call has more to do than to
// answer from it.
func (g *Glancing) viewFor(c *verbs.Call) *views.View {
	env := c.Env.(Env)
	v := env.Views().Of(c.Key, g.Kind)
	if v == nil || v.Indirect || v.WantsProbe(env.Uptime()) || !g.Brief(c, v.Fold) || v.Dirty(env.Options()) {
		return nil
	}
	return v
}

// probed answers if, according to the first reply, that to a probe, the view is still valid. Otherwise, or if
// answering would not be quick, the call reads the structure.
func (g *Glancing) probed(c *verbs.Call, replies []verbs.Reply) (done verbs.Step) {
	r := &replies[0]
	if r.Status == verbs.Failed {
		c.Fail(*r)
		return done
	}
	views := c.Env.(Env).Views()
	v := views.Of(c.Key, g.Kind)
	switch {
	case v == nil || r.Status != verbs.Hit:
		return g.Reads(c)
	case !v.Usable(r):
		views.Note(false)
		EngineOf(c, g.Kind).before = v
		return g.Reads(c)
	case !views.Advance(v, c.Env) || !g.Brief(c, v.Fold) || g.Kind.Ends && v.Fold.Live() == 0 && format.Ends(r): // it may have to be deleted
		return g.Reads(c)
	}
	views.Note(true)
	v.Asked = max(v.Asked, c.Asked)
	c.Item = r.Item()
	if g.Also == nil {
		g.Answer(c, v.Fold)
		return done
	}
	var also *verbs.Reply
	if len(replies) > 1 {
		also = &replies[1]
	}
	if !g.AnswerAlso(c, v.Fold, also) {
		return g.Reads(c)
	}
	return done
}

// Tells returns v completed as a verb that answers with one line about a structure of a kind. tell
// appends the line to the answer, without a pause.
func Tells(v verbs.Verb, kind *format.Kind, tell func(*verbs.Call, format.Fold)) verbs.Verb {
	return TellsIf(v, kind, looksUpAtOnce, tell)
}

// TellsIf is Tells for a verb of which brief reports whether a call can answer quickly from the fold of a view.
func TellsIf(
	v verbs.Verb, kind *format.Kind, brief func(*verbs.Call, format.Fold) bool, tell func(*verbs.Call, format.Fold),
) verbs.Verb {
	answer := func(c *verbs.Call, fold format.Fold) {
		tell(c, fold)
		c.Answer = append(c.Answer, "\r\n"...)
		c.Done()
	}
	return Glancing{
		Kind:   kind,
		Brief:  brief,
		Answer: answer,
		Reads:  verbs.Coroutine(func(c *verbs.Call) { EngineOf(c, kind).answerFrom(answer) }),
	}.Complete(v)
}

// looksUpAtOnce reports whether the words of the request can be looked up without a pause.
func looksUpAtOnce(c *verbs.Call, fold format.Fold) bool {
	return c.LooksUpAtOnce(fold.Live() + fold.Dead())
}

// TellLive appends how many elements a structure has, for [Tells].
func TellLive(c *verbs.Call, fold format.Fold) {
	c.Answer = strconv.AppendInt(c.Answer, int64(fold.Live()), 10)
}
