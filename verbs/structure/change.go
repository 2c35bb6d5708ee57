package structure

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/verbs"
)

// change replaces the beginning of a head by an equivalent text. It keeps what has been
// appended meanwhile, so it can be made as long as the head begins with old.
type change struct {
	old, new []byte
	written  []segment // segments that only new points to
	replaced []segment // segments that only old points to
	foreign  foreign   // tokens of old that new lacks
	closed   bool      // new ends in tokens, which no pointer may follow
	empty    bool      // new stands for an empty structure, see emptied.go
	letter   byte      // of the structure's kind, which what follows has to tell if new is empty
	of       version   // the only version of the head that it can be made to; the zero value for any that begins with old
}

// version is a version of a head.
type version struct {
	cas      uint64
	epoch    uint32
	size     int
	indirect bool // see [verbs.Reply]
}

// versionOf returns the version that r has read or probed.
func versionOf(r *verbs.Reply) version { return version{r.CAS, r.Epoch, r.Size, r.Indirect} }

// fits reports whether the change can be made to a head with the given value.
func (ch *change) fits(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, ch.old)
	if !ok {
		return false
	}
	if n := len(ch.old); len(rest) > 0 && n > 0 && !Space(ch.old[n-1]) {
		return false // what follows continues the last token
	}
	rest = trimSpace(rest)
	pointer := bytes.HasPrefix(rest, []byte{'@'})
	if len(ch.new) > 0 {
		return !(ch.closed && pointer)
	}
	return pointer || letterOf(rest) == ch.letter
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
		if !ch.fits(r.Data) || ch.of != (version{}) && ch.of != versionOf(&r) {
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

// unswappable is the outcome of a change to an item that can't be swapped.
func unswappable(key []byte) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s can't be rewritten: its upstream keeps no CAS, or it is about to expire", key)}
}

// swapIn makes a change to the head that r has read, unless it has changed since. It
// then deletes the segments that nothing points to. If the outcome of the swap is
// unknown, it deletes nothing.
func (e *Engine) swapIn(key []byte, ch *change, r verbs.Reply) verbs.Reply {
	if ch.empty && ends(&r) && len(trimSpace(r.Data[len(ch.old):])) == 0 {
		return e.deleteHead(key, ch, r)
	}
	value := append(bytes.Clone(ch.new), r.Data[len(ch.old):]...)
	if len(value) > len(r.Data) && !e.Fits(e.owner(key), key, value) {
		e.remove(key, ch.written)
		return e.NoRoom(e.owner(key), len(value))
	}
	exptime, ok := e.exptimeOf(key, &r)
	if !ok {
		return verbs.Reply{Status: verbs.Exists} // which is tried again, or fails likewise
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
	r = e.Ask(deletion(key, versionOf(&r)))
	e.countSwap(key, ch.foreign, r)
	if r.Status == verbs.Stored {
		e.noteSwapped(key, ch, nil)
		e.remove(key, ch.replaced)
	}
	return r
}

// Refused is the outcome of an append of so many bytes to the head under key that memcached has
// refused again and again, though the head was settled in between: it is too long, or memcached has
// no memory.
func (e *Engine) Refused(key []byte, bytes int) verbs.Reply {
	r := e.Ask(verbs.Op{Kind: verbs.Probe, Key: key})
	if r.Status != verbs.Hit || r.Size+bytes > e.HeadLimit(key)/2 {
		return e.NoRoom(e.owner(key), bytes)
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR memcached refuses to append %d bytes to the item of %s, which has %d: it seems to be out of memory; try again, or give it more memory", bytes, e.Shown(e.owner(key)), r.Size)}
}

// NoRoom is the outcome of a change that would make the structure under key or its head too long.
func (e *Engine) NoRoom(key []byte, bytes int) verbs.Reply {
	e.env.NoteFull(key)
	if needs := e.needs(key); needs > 0 {
		return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s is full: there is no room for %d bytes, and none can be made, as that takes %d MB of memory, and a single request may have %d; raise --buffer-memory", e.Shown(key), bytes, needs>>20+1, e.env.MostRoom()>>20)}
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s is full: there is no room for %d bytes; remove some of it, or spread it over several keys", e.Shown(key), bytes)}
}

// remove deletes segments that nothing points to. If that fails, memcached will evict
// them, as nobody reads them.
func (e *Engine) remove(key []byte, segments []segment) {
	e.Ops = appendOps(e.Ops[:0], verbs.Delete, key, segments)
	if len(e.Ops) > 0 {
		e.AskAll(e.Ops)
	}
}
