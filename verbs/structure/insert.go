package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// insert makes a change that is too large to append: Stored; Missing if there is no structure and create is not set; or
// Failed. Each insert makes a segment, which may be too long for settling to fold, so segments may have to be merged
// afterwards.
func (s *settler) insert(tokens []byte, create bool) verbs.Reply {
	tokens = bytes.Clone(tokens)
	s.hold(s.Key, true)
	defer s.hold(s.Key, false)
	for range CommitTries {
		r := s.Ask(verbs.Op{Kind: verbs.Fetch, Key: s.Key})
		switch h, _ := format.ParseHead(r.Data); {
		case r.Status == verbs.Hit && create && s.limits.noteRoom(s.Key, h.Segments, r.Size):
			return s.limits.NoRoom(s.Key, len(tokens))
		case r.Status == verbs.Hit:
			r = s.insertInto(r, tokens)
		case r.Status == verbs.Missing && create:
			r = s.insertNew(tokens)
		default:
			return r
		}
		switch r.Status {
		case verbs.Exists, verbs.NotStored, verbs.Missing:
		default:
			return r
		}
	}
	return verbs.Contended(s.Shown(s.Key))
}

// insertNew creates the structure.
func (s *settler) insertNew(tokens []byte) verbs.Reply {
	p := plan{s: s, key: s.Key, limit: s.limits.HeadLimit(s.Key)}
	ch, r := p.rewrite([]byte{}, tokens)
	if ch == nil {
		return r
	}
	r = s.Ask(verbs.Op{Kind: verbs.Add, Key: s.Key, Data: ch.new, Exptime: s.Exptime})
	if r.Status == verbs.NotStored {
		s.writer.remove(s.Key, ch.written)
	}
	return r
}

// insertInto changes the structure whose head r has read: the head's tokens and the
// change become a segment. The swap fails if anything was appended since: clients may
// have seen those tokens without the change, so the change must not come before them.
func (s *settler) insertInto(r verbs.Reply, tokens []byte) verbs.Reply {
	if !r.Swappable() {
		return unswappable(s.Shown(s.Key))
	}
	r.Data = bytes.Clone(r.Data)
	p := plan{s: s, key: s.Key, limit: s.limits.HeadLimit(s.Key)}
	ch, bad := p.rewrite(r.Data, tokens)
	switch {
	case ch == nil && bad.Status == verbs.Missing:
		return s.loader.recheck(s.Key)
	case ch == nil:
		return bad
	}
	if r = s.writer.swapIn(s.Key, ch, r); r.Status == verbs.Exists {
		s.writer.remove(s.Key, ch.written)
	}
	return r
}
