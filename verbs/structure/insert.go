package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// insert makes a change that is too large to append, and answers the client. create says whether to
// create a missing structure. Each insert makes a segment, which may be too long for settling to
// fold, so the call checks afterwards whether to merge segments.
func (e *Engine) insert(tokens []byte, create bool) {
	if e.inserted(tokens, create) {
		e.merge(e.Key)
	}
}

// inserted makes a change like insert, answers the client, and reports whether the change was made.
func (e *Engine) inserted(tokens []byte, create bool) bool {
	tokens = bytes.Clone(tokens)
	e.hold(e.Key, true)
	defer e.hold(e.Key, false)
	for range CommitTries {
		r := e.Ask(verbs.Op{Kind: verbs.Fetch, Key: e.Key})
		switch h, _ := format.ParseHead(r.Data); {
		case r.Status == verbs.Hit && create && e.noteRoom(e.Key, h.Segments, r.Size):
			r = e.NoRoom(e.Key, len(tokens))
		case r.Status == verbs.Hit:
			r = e.insertInto(r, tokens)
		case r.Status == verbs.Missing && create:
			r = e.insertNew(tokens)
		case r.Status == verbs.Missing:
			e.Say("NOT_FOUND")
			return false
		}
		switch r.Status {
		case verbs.Stored:
			e.Say("STORED")
			return true
		case verbs.Exists, verbs.NotStored, verbs.Missing:
		default:
			e.Fail(r)
			return false
		}
	}
	e.Fail(verbs.Contended(e.Shown(e.Key)))
	return false
}

// insertNew creates the structure.
func (e *Engine) insertNew(tokens []byte) verbs.Reply {
	p := plan{e: e, key: e.Key, limit: e.HeadLimit(e.Key)}
	ch, r := p.rewrite([]byte{}, tokens)
	if ch == nil {
		return r
	}
	r = e.Ask(verbs.Op{Kind: verbs.Add, Key: e.Key, Data: ch.new, Exptime: e.Exptime})
	if r.Status == verbs.NotStored {
		e.remove(e.Key, ch.written)
	}
	return r
}

// insertInto changes the structure whose head r has read: the head's tokens and the
// change become a segment. The swap fails if anything was appended since: clients may
// have seen those tokens without the change, so the change must not come before them.
func (e *Engine) insertInto(r verbs.Reply, tokens []byte) verbs.Reply {
	if !r.Swappable() {
		return unswappable(e.Shown(e.Key))
	}
	r.Data = bytes.Clone(r.Data)
	p := plan{e: e, key: e.Key, limit: e.HeadLimit(e.Key)}
	ch, bad := p.rewrite(r.Data, tokens)
	switch {
	case ch == nil && bad.Status == verbs.Missing:
		return e.recheck(e.Key)
	case ch == nil:
		return bad
	}
	if r = e.swapIn(e.Key, ch, r); r.Status == verbs.Exists {
		e.remove(e.Key, ch.written)
	}
	return r
}
