package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// LedAppend is an append for calls that do not decide, which the proxy sends under the CAS of the loop's view, as a leader
// does. So the view stays up to date, and calls that decide meanwhile wait for the append, where they would lose a race against it.
// In the zero value there is none.
type LedAppend struct {
	view   *views.View
	was    format.Version // of the head before the append
	joined bool           // it is several calls' append
}

// LeadAppend makes op, an append to a structure, depend on the CAS of the loop's view, if the last change to the head is one that this
// loop has decided on, and no call decides now. Otherwise it returns the zero LedAppend. joined says that op is the append of
// several calls.
func LeadAppend(env Env, op *verbs.Op, joined bool) (a LedAppend) {
	v := env.Views().Find(op.Key)
	if v == nil || v.Standing != views.Decided {
		return a
	}
	switch decisions, now := env.Decisions(), env.Uptime(); {
	case !v.Decidable(now), !v.Remains(op.Data):
	case !bytes.Equal(op.Key, op.RoutingKey()), !Appended(env, op.Key, len(op.Data)):
	case decisions.led(op.Key), decisions.orders.wanted(op.Key, now), env.Precedence().taken(op.Key):
	case env.Views().Advance(v, env):
		decisions.join(op.Key, nil)
		op.Kind, op.CAS, op.Epoch = verbs.AppendIf, v.CAS, v.Epoch
		return LedAppend{v, v.Version, joined}
	}
	return a
}

// Leads reports whether there is an append.
func (a *LedAppend) Leads() bool { return a.view != nil }

// Took takes the reply to op, and lets others decide.
func (a *LedAppend) Took(env Env, op *verbs.Op, r verbs.Reply) {
	v := a.view
	a.view = nil
	switch {
	case v.Gone || v.InUse() || v.Version != a.was:
	case r.Status != verbs.Stored || r.CAS == 0 || r.Size != a.was.Size+len(op.Data):
		v.Standing = views.Outdated
	case v.Extend(op.Data, env.Now()):
		v.CAS, v.Size, v.Joined = r.CAS, r.Size, a.joined
		env.Views().Grown(v)
	default:
		env.Views().Drop(v)
	}
	env.Views().Note(r.Status == verbs.Stored)
	passOn(env, op.Key, op.Key, []*decision{nil})
}
