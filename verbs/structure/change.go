package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// change replaces the beginning of a head, old, by an equivalent text, new. It keeps what has been
// appended meanwhile, so it can be made as long as the head begins with old.
type change struct {
	old, new []byte
	written  []format.Segment // segments that only new points to
	replaced []format.Segment // segments that only old points to
	foreign  foreign          // tokens of old that new lacks
	closed   bool             // new ends in tokens, after which no pointer may come
	empty    bool             // the structure is empty with new, see emptied.go
	letter   byte             // of the structure's kind; if new is empty, the tokens after old must show the kind
	of       format.Version   // if not zero, the only version of the head that the change may be made to
}

// fits reports whether the change can be made to a head with the given value.
func (ch *change) fits(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, ch.old)
	if !ok {
		return false
	}
	if n := len(ch.old); len(rest) > 0 && n > 0 && !format.Space(ch.old[n-1]) {
		return false // what follows old continues its last token
	}
	rest = format.TrimSpace(rest)
	pointer := bytes.HasPrefix(rest, []byte{'@'})
	if len(ch.new) > 0 {
		return !(ch.closed && pointer)
	}
	return pointer || format.LetterOf(rest) == ch.letter
}

// CommitTries is how often a swap is tried while others append.
const CommitTries = 4 * verbs.MaxTries

// commit makes a change: Stored; Exists if the head no longer begins as the change
// expects; Missing if there is no head any more; or Failed, also after so many tries.
func (e *Engine) commit(key []byte, ch *change, tries int) verbs.Reply {
	outcome := verbs.Contended(e.Shown(e.owner(key)))
	for range tries {
		r := e.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
		if r.Status != verbs.Hit {
			outcome = r
			break
		}
		if !ch.fits(r.Data) || ch.of != (format.Version{}) && ch.of != format.VersionOf(&r) {
			outcome = verbs.Reply{Status: verbs.Exists}
			break
		}
		if !r.Swappable() {
			outcome = unswappable(e.Shown(e.owner(key)))
			break
		}
		if r = e.swapIn(key, ch, r); r.Status != verbs.Exists {
			return r
		}
	}
	e.remove(key, ch.written)
	return outcome
}

// swapIn makes a change to the head that r has read, unless it has changed since. It
// then deletes the segments that nothing points to. If the outcome of the swap is
// unknown, it deletes nothing.
func (e *Engine) swapIn(key []byte, ch *change, r verbs.Reply) verbs.Reply {
	if ch.empty && format.Ends(&r) && len(format.TrimSpace(r.Data[len(ch.old):])) == 0 {
		return e.deleteHead(key, ch, r)
	}
	value := append(bytes.Clone(ch.new), r.Data[len(ch.old):]...)
	if len(value) > len(r.Data) && !e.Fits(e.owner(key), key, value) {
		e.remove(key, ch.written)
		return e.NoRoom(key, len(value))
	}
	exptime, ok := e.exptimeOf(key, &r)
	if !ok {
		return verbs.Reply{Status: verbs.Exists} // the next try, if there is one, may succeed
	}
	r = e.Ask(e.Swap(key, value, r, exptime))
	e.countSwap(key, ch.foreign, r)
	switch r.Status {
	case verbs.Stored:
		e.noteSwap(key)
		e.noteSwapped(key, ch, value)
		e.remove(key, ch.replaced)
	case verbs.Missing:
		e.remove(key, ch.written)
	}
	return r
}

// deleteHead is swapIn for a change that leaves nothing.
func (e *Engine) deleteHead(key []byte, ch *change, r verbs.Reply) verbs.Reply {
	r = e.Ask(format.VersionOf(&r).Deletion(key))
	e.countSwap(key, ch.foreign, r)
	if r.Status == verbs.Stored {
		e.noteSwapped(key, ch, nil)
		e.remove(key, ch.replaced)
	}
	return r
}

// remove deletes segments that nothing points to. If that fails, memcached will evict
// them, as nobody reads them.
func (e *Engine) remove(key []byte, segments []format.Segment) {
	e.Ops = format.AppendOps(e.Ops[:0], verbs.Delete, key, segments)
	if len(e.Ops) > 0 {
		e.AskAll(e.Ops)
	}
}

// noteSwapped notes whether the structure under key is full, after a change to its head, which has the
// given value now. That is known only if the change has folded the structure as a whole.
func (e *Engine) noteSwapped(key []byte, ch *change, value []byte) {
	if len(e.env.Decisions().full) == 0 {
		return
	}
	h, _ := format.ParseHead(value)
	if len(h.Segments) <= len(ch.written) { // nothing is left of what was before
		e.noteNeeds(key, 0)
	}
	e.noteRoom(key, h.Segments, len(value))
}
