package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// writer is the part of an [Engine] that makes a [change] to a head, by swapping it.
type writer struct {
	*call
	limits *limits
	clock  *clock
}

// CommitTries is how often a swap is tried while others append.
const CommitTries = 4 * verbs.MaxTries

// commit makes a change to a head: Stored; Exists if the head no longer begins as the change
// expects; Missing if there is no head any more; or Failed, also after so many tries. read is the head as it was read just now,
// or an empty reply.
func (w *writer) commit(key []byte, ch *change, read verbs.Reply, tries int) verbs.Reply {
	outcome := verbs.Contended(w.Shown(w.owner(key)))
	for range tries {
		r := read
		if read = (verbs.Reply{}); r.Status != verbs.Hit {
			r = w.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
		}
		if r.Status != verbs.Hit {
			outcome = r
			break
		}
		if !ch.fits(r.Data) || ch.of != (format.Version{}) && ch.of != format.VersionOf(&r) {
			outcome = verbs.Reply{Status: verbs.Exists}
			break
		}
		if !r.Swappable() {
			outcome = unswappable(w.Shown(w.owner(key)))
			break
		}
		if r = w.swapIn(key, ch, r); r.Status != verbs.Exists {
			return r
		}
	}
	w.remove(key, ch.written)
	return outcome
}

// swapIn makes a change to the head that r has read, unless it has changed since: it swaps the head, or deletes it if
// nothing is left. It then deletes the segments that nothing points to. If the outcome is unknown, it deletes nothing.
func (w *writer) swapIn(key []byte, ch *change, r verbs.Reply) verbs.Reply {
	var value []byte
	op, more := format.VersionOf(&r).Deletion(key), r.Data[len(ch.old):]
	if ends := ch.empty && format.Ends(&r) && len(format.TrimSpace(more)) == 0; !ends {
		value = append(bytes.Clone(ch.new), more...)
		if len(value) > len(r.Data) && !w.Fits(w.owner(key), key, value) {
			w.remove(key, ch.written)
			return w.limits.NoRoom(key, len(value))
		}
		exptime, ok := w.clock.exptimeOf(key, &r)
		if !ok {
			return verbs.Reply{Status: verbs.Exists} // the next try, if there is one, may succeed
		}
		op = w.Swap(key, value, r, exptime)
	}
	r = w.Ask(op)
	w.countSwap(key, ch.foreign, r)
	switch r.Status {
	case verbs.Stored:
		w.noteSwap(key, ch)
		w.noteSwapped(key, ch, value)
		w.remove(key, ch.replaced)
	case verbs.Missing:
		w.remove(key, ch.written)
	}
	return r
}

// remove deletes segments that nothing points to. If that fails, memcached will evict
// them, as nobody reads them.
func (w *writer) remove(key []byte, segments []format.Segment) {
	w.Ops = format.AppendOps(w.Ops[:0], verbs.Delete, key, segments)
	if len(w.Ops) > 0 {
		w.AskAll(w.Ops)
	}
}

// noteSwapped notes whether the structure under key is full, after a change to its head, which has the
// given value now. That is known only if the change has folded the structure as a whole.
func (w *writer) noteSwapped(key []byte, ch *change, value []byte) {
	if len(w.env.Decisions().full) == 0 {
		return
	}
	h, _ := format.ParseHead(value)
	if len(h.Segments) <= len(ch.written) { // nothing is left of what was before
		w.limits.noteNeeds(key, 0)
	}
	w.limits.noteRoom(key, h.Segments, len(value))
}

// countSwap adds a swap that has replaced a log by a folded one to the account; r is the
// reply to it. Tokens are noted as dropped only if that is certain: another swap may have
// come first, or dropped them already.
func (w *writer) countSwap(key []byte, out foreign, r verbs.Reply) {
	w.Count(r)
	if r.Status == verbs.Stored && out.tokens > 0 {
		w.env.NoteForeign(w.owner(key), w.Shown(key), out.kind.Name, out.tokens)
	}
}

// noteSwap notes that the head under key has been changed. Otherwise a call might decide on the old view and extend it; then
// it would lose the race, and the view could not be used any more.
func (w *writer) noteSwap(key []byte, ch *change) {
	v := w.viewOf(key)
	if v == nil {
		return
	}
	if v.Standing = views.Outdated; len(ch.written) > 0 {
		v.Wrote(ch.before, ch.written[0], ch.log)
		w.env.Views().Grown(v)
	}
}
