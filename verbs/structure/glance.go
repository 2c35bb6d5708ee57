package structure

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
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
	// Reads is [verbs.Verb.Run] of a call that reads the structure.
	Reads func(*verbs.Call) verbs.Step
}

// Run returns [verbs.Verb.Run] of the verb.
func (g Glancing) Run() func(*verbs.Call) verbs.Step {
	probed := func(c *verbs.Call, replies []verbs.Reply) verbs.Step { return g.probed(c, &replies[0]) }
	return func(c *verbs.Call) verbs.Step {
		if !g.begins(c) {
			return g.Reads(c)
		}
		return c.Asks(probed, verbs.Op{Kind: verbs.Probe, Key: c.Key})
	}
}

// begins reports whether a view of the call's structure is kept, and the call only has to answer
// from it.
func (g *Glancing) begins(c *verbs.Call) bool {
	env := c.Env.(Env)
	v := env.Views().Of(c.Key, g.Kind)
	return v != nil && !v.Indirect && !v.WantsProbe(env.Uptime()) && g.Brief(c, v.Fold) && !v.Dirty(env.Options())
}

// probed answers if, according to r, the reply to a probe, the view is still valid. Otherwise, or if
// answering would not be quick, the call reads the structure.
func (g *Glancing) probed(c *verbs.Call, r *verbs.Reply) (done verbs.Step) {
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
	c.Item = r.Item()
	g.Answer(c, v.Fold)
	return done
}

// Tells returns v completed as a verb that answers with one line about a structure of a kind. tell
// appends the line to the answer, without a pause.
func Tells(v verbs.Verb, kind *format.Kind, tell func(*verbs.Call, format.Fold)) verbs.Verb {
	v.Run = Glancing{
		Kind:   kind,
		Brief:  looksUpAtOnce,
		Answer: func(c *verbs.Call, fold format.Fold) { told(c, fold, tell) },
		Reads: verbs.Coroutine(func(c *verbs.Call) {
			EngineOf(c, kind).TellOfOne(func(fold format.Fold) { tell(c, fold) })
		}),
	}.Run()
	return v
}

// looksUpAtOnce reports whether the words of the request can be looked up without a pause.
func looksUpAtOnce(c *verbs.Call, fold format.Fold) bool {
	return c.LooksUpAtOnce(fold.Live() + fold.Dead())
}

// TellLive appends how many elements a structure has, for [Tells].
func TellLive(c *verbs.Call, fold format.Fold) {
	c.Answer = strconv.AppendInt(c.Answer, int64(fold.Live()), 10)
}

// told answers with the line that tell appends.
func told(c *verbs.Call, fold format.Fold, tell func(*verbs.Call, format.Fold)) {
	tell(c, fold)
	c.Answer = append(c.Answer, "\r\n"...)
	c.Done()
}
