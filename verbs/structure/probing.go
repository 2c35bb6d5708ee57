package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// memcached evicts the least recently used items first. Calls that use a view probe only the head
// and do not read the parts, so the parts would be evicted although the structure is in use. So
// they are probed from time to time.

// probeAll probes the parts of each view.
func (l *loader) probeAll(views []*views.View) {
	for _, v := range views {
		l.probeParts(v)
	}
}

// Refresh reads the head under key and probes the parts of its segments, so that memcached
// does not evict them first although the structure is in use. It returns Hit; Missing if there
// is no structure, or if a part of it was evicted; or Failed.
func (l *loader) Refresh(key []byte) verbs.Reply {
	return l.refresh(key, l.Ask(verbs.Op{Kind: verbs.Fetch, Key: key}))
}

// refresh is Refresh after r has read the head.
func (l *loader) refresh(key []byte, r verbs.Reply) verbs.Reply {
	h, _ := format.ParseHead(r.Data)
	if l.anyMissing(key, h.Segments) {
		return l.LoadOne(key, Counted).Reply // which finds out whether it was evicted or replaced
	}
	return r
}

// anyMissing probes the parts of segments of the structure under key, and reports whether any is
// missing.
func (l *loader) anyMissing(key []byte, segments []format.Segment) bool {
	for ops := format.AppendOps(nil, verbs.Probe, key, segments); len(ops) > 0; {
		some := ops[:min(len(ops), GroupParts)]
		ops = ops[len(some):]
		if slices.ContainsFunc(l.AskAll(some), func(r verbs.Reply) bool { return r.Status == verbs.Missing }) {
			return true
		}
	}
	return false
}

// looksAfter reports whether the structure under key has segments that calls keep from being evicted which use its view. A
// writer need not read the head of such a structure.
func (l *loader) looksAfter(key []byte) bool {
	v := l.viewOf(key)
	return v != nil && len(v.Head.Segments) > 0 && !v.WantsProbe(l.env.Uptime())
}

// refreshWritten is refresh for a structure that was appended to: clients may append for hours
// without reading it. It probes the parts if this proxy has not done so for a while.
func (l *loader) refreshWritten(key []byte, r verbs.Reply) {
	hints, now := l.env.Hints(), l.env.Uptime()
	if hint := hints.Of(key); views.PartsDue(hint.At, now) {
		hint.At = now
		hints.Note(string(key), hint)
		l.refresh(key, r)
	}
}

// probeParts probes the parts that v points to. If one is missing, the structure is
// lost and its head is deleted, as in [Engine.Load].
func (l *loader) probeParts(v *views.View) {
	v.Probed = l.env.Uptime()
	key := []byte(v.Key)
	of := v.Version
	if !l.anyMissing(key, v.Head.Segments) {
		return
	}
	l.env.Views().Drop(v)
	if l.Ask(of.Deletion(key)).Status == verbs.Stored {
		l.noteLost(key)
	}
}
