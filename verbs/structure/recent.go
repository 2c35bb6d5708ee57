package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// A pool may allow that calls that only read use a view for some time without a probe, see [Env].Recent. That time begins
// when memcached was asked, not when it answered: others may have changed the structure in between.

// recent reports whether c may use v, the view of the structure under key, without a probe. A call that has asked before
// looks again because of what it has found. One that may have to tell how long the item lives has to ask.
func recent(c *verbs.Call, key []byte, v *views.View) bool {
	if v == nil || v.Asked == 0 || c.Trips > 0 || c.Details || !c.OnlyReads() {
		return false
	}
	env := c.Env.(Env)
	return !v.WantsProbe(env.Uptime()) && !v.Dirty(env.Options()) && env.Recent(key, v.Asked) && env.Views().Advance(v, env) &&
		!(v.Kind.Ends && v.Ends && v.Fold.Live() == 0) // then it may have to be deleted
}

// asksNow notes that the call asks about the structure under key.
func (l *loader) asksNow(key []byte) {
	if l.Asked == 0 && l.Of == nil && l.Kind.Complete && l.OnlyReads() {
		l.Asked = l.env.AsksNow(key)
	}
}

// useRecent completes s from a view that was not probed. Nothing is known of the item, so the call will not compact it.
func (l *loader) useRecent(s *Loaded, v *views.View) {
	l.lend(s, v, verbs.Reply{Status: verbs.Hit, TTL: -1, Size: v.Size, Epoch: v.Epoch})
}
