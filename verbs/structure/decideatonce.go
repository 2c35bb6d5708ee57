package structure

import "github.com/memverbs/memverbs/verbs"

// A call that meets no other decides for itself, see [deciding].

// soleAppend is the append of what the call has decided.
type soleAppend struct {
	view   *view
	was    verbs.Reply // the CAS, size and epoch that the view had
	tokens []byte
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
	c.atOnce = atOnce{
		stage: deciding,
		sole:  soleAppend{v, verbs.Reply{CAS: v.cas, Size: v.size, Epoch: v.epoch}, tokens},
		dead:  v.fold.Dead(), live: v.fold.Live(),
	}
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.AppendIf, Key: c.Key, Data: tokens, CAS: v.cas, Epoch: v.epoch})
	return c.Ops
}

// decidedAtOnce handles the reply to the append of decideAtOnce. If it is Stored or Failed, it is
// final: decidedAtOnce returns it as the outcome, as [Engine.Decide] does. Otherwise the structure has
// changed, and the call is resuming: it has to decide again, before the calls that wait.
func (c *Engine) decidedAtOnce(r verbs.Reply) (outcome verbs.Reply) {
	sole := c.atOnce.sole
	c.atOnce.sole, c.atOnce.stage = soleAppend{}, resuming
	c.hold(c.Key, false)
	if r.Status != verbs.Stored && r.Status != verbs.Failed {
		c.env.Views().note(false, false)
		c.before = sole.view
		return r
	}
	c.atOnce.stage = apart
	c.endLead([]*decision{nil})
	if r.Status == verbs.Stored {
		c.env.Views().note(false, true)
		r.Grown = len(sole.tokens)
		sole.extendView(c.env, &r)
	}
	return r
}

// extendView brings the view up to date with the append, to which r is the reply, unless it has
// changed since.
func (a *soleAppend) extendView(env Env, r *verbs.Reply) {
	v, was := a.view, &a.was
	switch {
	case v.gone || v.users > 0 || v.cas != was.CAS || v.size != was.Size || v.epoch != was.Epoch:
	case r.CAS == 0 || r.Size != was.Size+len(a.tokens):
	case v.extend(a.tokens, env.Now()):
		v.cas, v.size = r.CAS, r.Size
		env.Views().grown(v)
	default:
		env.Views().drop(v)
	}
}
