package structure

import "github.com/memverbs/memverbs/verbs"

// Most calls that decide (decide.go) meet nobody: a view of the structure is kept, and no other
// call of the event loop decides on it. Such a call is a single append under the view's CAS, and
// runs without a coroutine, see [verbs.Verb.Begin]. If it loses a race, it goes on as the leader
// of those that have come meanwhile, so that the calls take effect in the order in which they
// began.

// atOnce is a decision that was made without a coroutine and is on its way.
type atOnce struct {
	view       *view       // nil once the append has been answered
	was        verbs.Reply // the CAS, size and epoch that the view had
	tokens     []byte
	dead, live int // elements before
}

// DecidesAtOnce returns v completed by what its calls do without a coroutine: begin is their part
// of [verbs.Verb.Begin], and returns what [Engine.DecideAtOnce] does, or none; answer answers, given
// the outcome, which is Stored or Failed.
func DecidesAtOnce(v verbs.Verb, kind *Kind, begin func(*Engine) []verbs.Op, answer func(*Engine, verbs.Reply)) verbs.Verb {
	v.Begin = func(c *verbs.Call) []verbs.Op { return begin(EngineOf(c, kind)) }
	v.Finish = func(c *verbs.Call, replies []verbs.Reply) (rest func(*verbs.Call), ok bool) {
		e := EngineOf(c, kind)
		outcome, ok := e.decidedAtOnce(replies[0])
		if !ok {
			return nil, false
		}
		answer(e, outcome)
		return e.tidyAtOnce(outcome), true
	}
	return v
}

// DecideAtOnce returns the append that carries out what choose, see [Engine.Decide], has decided
// on the view of the call's structure; none if the call needs more. brief reports whether
// choosing is quick. orders says that the call can give an order, too.
func (c *Engine) DecideAtOnce(brief func(Fold) bool, choose func(p *verbs.Pace, fold Fold) []byte, orders bool) []verbs.Op {
	made, now := c.env.Decisions(), c.env.Now()
	v := c.viewOf(c.Key)
	if v == nil || v.users > 0 || v.wantsProbe(now) || !v.endsInSpace() || !c.advance(v) || !brief(v.fold) ||
		made.led(c.Key) || orders && made.orders.wanted(c.Key, now) {
		return nil
	}
	var unhurried verbs.Pace
	tokens := choose(&unhurried, v.fold)
	if len(tokens) == 0 || !Appended(c.env, c.Key, len(tokens)) {
		c.Answer = c.Answer[:0]
		return nil
	}
	made.join(c.Key, nil)
	c.hold(c.Key, true)
	c.atOnce = atOnce{v, verbs.Reply{CAS: v.cas, Size: v.size, Epoch: v.epoch}, tokens, v.fold.Dead(), v.fold.Live()}
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.AppendIf, Key: c.Key, Data: tokens, CAS: v.cas, Epoch: v.epoch})
	return c.Ops
}

// decidedAtOnce takes the reply to the append of [Engine.DecideAtOnce]. It returns what
// [Engine.Decide] does if that was Stored or has Failed, and false if the structure had changed:
// then the call has to decide again, at once, as it leads others that wait.
func (c *Engine) decidedAtOnce(r verbs.Reply) (outcome verbs.Reply, ok bool) {
	v := c.atOnce.view
	c.hold(c.Key, false)
	if c.atOnce.view = nil; r.Status != verbs.Stored && r.Status != verbs.Failed {
		c.env.Views().note(false, false)
		c.before, c.leads = v, true
		return r, false
	}
	c.env.Decisions().done(c.Key, []*decision{nil})
	if r.Status == verbs.Stored {
		c.env.Views().note(false, true)
		r.Grown = len(c.atOnce.tokens)
		c.extendView(v, &r)
	}
	return r, true
}

// giveUp gives the lead to another call if this one does not decide any more.
func (c *Engine) giveUp() {
	if c.atOnce.view != nil {
		c.hold(c.Key, false)
		c.atOnce.view, c.leads = nil, true
	}
	if c.leads {
		c.leads = false
		c.env.Decisions().done(c.Key, []*decision{nil})
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

// tidyAtOnce returns what remains to be done after a decision that was made at once and had the
// outcome r, nil if nothing does.
func (c *Engine) tidyAtOnce(r verbs.Reply) (rest func(*verbs.Call)) {
	if r.Grown == 0 || !c.untidyFolded(r.Grown, r.Size, c.atOnce.dead, c.atOnce.live) {
		return nil
	}
	kind, size := c.Kind, r.Size
	return func(call *verbs.Call) { EngineOf(call, kind).TidyUp(call.Key, size) }
}

// Few reports whether choosing among the elements of a structure is quick, as they fit one slice,
// see [verbs.Pace].
func (c *Engine) Few(fold Fold) bool { return fold.Live()+fold.Dead() <= c.Pace.Slice }
