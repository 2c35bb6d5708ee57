package structure

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// A call that reads a structure of which a view is kept is usually a probe of the head and an
// answer from the view. These functions let it run without a coroutine, see [verbs.Verb.Begin].

// Glance returns a probe of the call's structure if a view of it is kept that brief accepts: it
// reports whether the call can answer from that fold quickly, without asking for anything. Glance
// returns none if there is more to do than to answer.
func Glance(c *verbs.Call, kind *Kind, brief func(Fold) bool) []verbs.Op {
	env := c.Env.(Env)
	v := env.Views().of(c.Key, kind)
	if v == nil || v.wantsProbe(env.Now()) || !brief(v.fold) || v.dirty(env) {
		return nil
	}
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.Probe, Key: c.Key})
	return c.Ops
}

// Glanced calls answer with the fold of the view if r, the reply to the probe, says that this
// still holds. The call has to read the structure if the view does not hold or brief, see
// [Glance], does not accept it any more.
func Glanced(c *verbs.Call, kind *Kind, r *verbs.Reply, brief func(Fold) bool, answer func(Fold)) (next verbs.Next) {
	if r.Status == verbs.Failed {
		c.Fail(*r)
		return next
	}
	views := c.Env.(Env).Views()
	v := views.of(c.Key, kind)
	switch {
	case v == nil || r.Status != verbs.Hit:
		return c.Anew()
	case !v.usable(r):
		views.note(false, false)
		EngineOf(c, kind).before = v
		return c.Anew()
	case !views.advance(v, c.Env) || !brief(v.fold):
		return c.Anew()
	}
	views.note(false, true)
	c.Item = r.Item()
	answer(v.fold)
	return next
}

// dirty reports whether the structure should be compacted when it is read, see
// [Engine.Compaction].
func (v *view) dirty(env Env) bool {
	return len(v.head.segments) == 0 && env.Options().Compacts(v.fold.Dead())
}

// Tells returns v completed as a verb that answers with one line about a structure of a kind.
// tell appends the line to the answer, quickly.
func Tells(v verbs.Verb, kind *Kind, tell func(*verbs.Call, Fold)) verbs.Verb {
	v.Begin = func(c *verbs.Call) []verbs.Op {
		return Glance(c, kind, func(fold Fold) bool { return looksUpAtOnce(c, fold) })
	}
	v.Finish = func(c *verbs.Call, replies []verbs.Reply) verbs.Next {
		return Glanced(c, kind, &replies[0], func(fold Fold) bool { return looksUpAtOnce(c, fold) }, func(fold Fold) { told(c, fold, tell) })
	}
	v.Run = func(c *verbs.Call) { EngineOf(c, kind).TellOfOne(func(fold Fold) { tell(c, fold) }) }
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
