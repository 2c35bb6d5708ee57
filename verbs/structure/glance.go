package structure

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// A call that reads a structure of which a view is kept is usually a probe of the head and an
// answer from the view. It needs no coroutine.

// Glancing is how the calls of a verb answer from a view.
type Glancing struct {
	Kind *Kind
	// Brief reports whether the call can answer from the fold of a view quickly, without asking for anything.
	Brief func(*verbs.Call, Fold) bool
	// Answer answers from that.
	Answer func(*verbs.Call, Fold)
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

// begins reports whether a view is kept of the call's structure, and there is no more to do than to
// answer from it.
func (g *Glancing) begins(c *verbs.Call) bool {
	env := c.Env.(Env)
	v := env.Views().of(c.Key, g.Kind)
	return v != nil && !v.indirect && !v.wantsProbe(env.Uptime()) && g.Brief(c, v.fold) && !v.dirty(env)
}

// probed answers if r, the reply to a probe, says that the view still holds. Otherwise, or if the view is
// not brief any more, the call reads the structure.
func (g *Glancing) probed(c *verbs.Call, r *verbs.Reply) (done verbs.Step) {
	if r.Status == verbs.Failed {
		c.Fail(*r)
		return done
	}
	views := c.Env.(Env).Views()
	v := views.of(c.Key, g.Kind)
	switch {
	case v == nil || r.Status != verbs.Hit:
		return g.Reads(c)
	case !v.usable(r):
		views.note(false, false)
		EngineOf(c, g.Kind).before = v
		return g.Reads(c)
	case !views.advance(v, c.Env) || !g.Brief(c, v.fold) || g.Kind.Ends && v.fold.Live() == 0 && ends(r): // it may have to be deleted
		return g.Reads(c)
	}
	views.note(false, true)
	c.Item = r.Item()
	g.Answer(c, v.fold)
	return done
}

// dirty reports whether the structure should be compacted when it is read, see
// [Engine.Compaction].
func (v *view) dirty(env Env) bool {
	return len(v.head.segments) == 0 && env.Options().Compacts(v.fold.Dead())
}

// Tells returns v completed as a verb that answers with one line about a structure of a kind.
// tell appends the line to the answer, quickly.
func Tells(v verbs.Verb, kind *Kind, tell func(*verbs.Call, Fold)) verbs.Verb {
	v.Run = Glancing{
		Kind:   kind,
		Brief:  looksUpAtOnce,
		Answer: func(c *verbs.Call, fold Fold) { told(c, fold, tell) },
		Reads: verbs.Coroutine(func(c *verbs.Call) {
			EngineOf(c, kind).TellOfOne(func(fold Fold) { tell(c, fold) })
		}),
	}.Run()
	return v
}

// looksUpAtOnce reports whether the words of the request can be looked up without a pause.
func looksUpAtOnce(c *verbs.Call, fold Fold) bool { return c.LooksUpAtOnce(fold.Live() + fold.Dead()) }

// TellLive appends how many elements a structure has, for [Tells].
func TellLive(c *verbs.Call, fold Fold) {
	c.Answer = strconv.AppendInt(c.Answer, int64(fold.Live()), 10)
}

// told answers with the line that tell appends.
func told(c *verbs.Call, fold Fold, tell func(*verbs.Call, Fold)) {
	tell(c, fold)
	c.Answer = append(c.Answer, "\r\n"...)
	c.Done()
}
