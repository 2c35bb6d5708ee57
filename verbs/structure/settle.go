package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// MakeRoom settles the head under key, which has size bytes and was too long to append to, see
// [Engine.Settle]. Afterwards the call has nothing loaded and no memory reserved. Its next append may
// have to wait for a call that also settles the head and waits for memory; since only a few calls of a
// client may have memory reserved at a time, it would wait for ever if this call kept its own.
func (s *settler) MakeRoom(key []byte, size int) verbs.Reply {
	if s.limits.isStuck(key) {
		return s.limits.NoRoom(key, size)
	}
	r := s.Settle(key, min(s.limits.HeadLimit(key), max(size/2, verbs.SurelyTaken)))
	s.loader.drop()
	s.KeepReserved(0)
	return r
}

// Settle makes the head under key short again if it is longer than limit bytes, by moving its
// folded tokens to a segment. It returns Stored if the head is short enough now, Missing if there
// is none, or Failed.
//
// Meanwhile this proxy holds back its other appends to the head. So when all proxies that see the
// head's length settle it, nobody appends, and the first swap succeeds.
func (s *settler) Settle(key []byte, limit int) verbs.Reply {
	p := plan{s: s, key: key, limit: limit}
	return p.carryOut()
}

// carryOut rewrites the structure: as a whole if that is planned, else until the head is short enough. It tries that
// at most CommitTries times, as others may rewrite it meanwhile, too. Then it returns as Settle does.
//
// What was pruned depends not only on the text of the head, but on when it was read. Since then the
// head may have been rewritten and appended to until it begins with the same text again, and a
// member that was pruned may have been added again. That is impossible if the text has a pointer,
// since its id is never used again. If it has none, the head must not have changed at all; if it
// has, the next try does not prune.
func (p *plan) carryOut() verbs.Reply {
	var probed verbs.Reply
	p.probed = &probed
	p.s.hold(p.key, true)
	defer p.s.hold(p.key, false)
	for range CommitTries {
		r := p.s.fetchAgain(p.key, p.s.known(p.key))
		if r.Status != verbs.Hit {
			return r
		}
		if !p.whole && len(r.Data) <= p.limit {
			return verbs.Reply{Status: verbs.Stored}
		}
		known := r
		known.Keep()
		p.s.catchUp(p.key, &known)
		ch, r := p.rewrite(known.Data, nil)
		switch {
		case ch != nil:
			if p.dropped.any() && !bytes.HasPrefix(ch.old, []byte{'@'}) {
				ch.of = format.VersionOf(&known)
			}
			if len(ch.written) > 0 {
				known = unchanged(known, probed)
			}
			r = p.s.writer.commit(p.key, ch, known, CommitTries)
			p.unpruned = r.Status == verbs.Exists
		case r.Status == verbs.Missing:
			r = p.s.loader.recheck(p.key)
		}
		if r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Contended(p.s.Shown(p.s.owner(p.key)))
}

// Compact compacts the structure under key as a whole, dirty or not. It returns Stored;
// Missing if there is none; or Failed.
func (s *settler) Compact(key []byte) verbs.Reply {
	p := plan{s: s, key: key, limit: s.limits.HeadLimit(key), whole: true}
	return p.carryOut()
}

// AppendExisting appends tokens to the call's structure if it still exists: Stored with Grown and
// Size; Missing if there is none; or Failed.
func (s *settler) AppendExisting(tokens []byte) verbs.Reply {
	if len(tokens) == 0 {
		return verbs.Reply{Status: verbs.Stored}
	}
	return s.appendAgain(tokens, false, false)
}

// appendAgain is [verbs.Call.AppendTo] for the call's structure. It settles a head that is full, and tries again.
func (s *settler) appendAgain(tokens []byte, create, refused bool) verbs.Reply {
	for try := range verbs.MaxTries {
		r := s.AppendTo(s.Key, tokens, create, s.Exptime, refused && try == 0)
		if r.Status != verbs.NotStored {
			return r
		}
		if r := s.makeRoomAgain(r.Size, try); r.Status == verbs.Failed {
			return r
		}
	}
	return s.limits.Refused(s.Key, len(tokens))
}

// makeRoomAgain is [Engine.MakeRoom] for the call's head, after tries failed appends. If size is 0, the
// size of the head is unknown. Then another call may have settled the head already, so at first it is
// settled only if it is longer than usual; after each failed try it is made shorter.
func (s *settler) makeRoomAgain(size, tries int) verbs.Reply {
	if size == 0 {
		size = 2 * s.limits.HeadLimit(s.Key) >> tries
	}
	return s.MakeRoom(s.Key, size)
}

// ReachesFull reports whether the structure that the call has last loaded has reached the limits.
func (s *settler) ReachesFull() bool {
	return len(s.loader.List) > 0 && s.limits.reachesFull(s.loader.List[0].Head.Segments)
}
