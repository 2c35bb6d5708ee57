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
func (e *Engine) MakeRoom(key []byte, size int) verbs.Reply {
	if e.isStuck(key) {
		return e.NoRoom(key, size)
	}
	r := e.Settle(key, min(e.HeadLimit(key), max(size/2, verbs.SurelyTaken)))
	e.drop()
	e.KeepRoom(0)
	return r
}

// Settle makes the head under key short again if it is longer than limit bytes, by moving its
// folded tokens to a segment. It returns Stored if the head is short enough now, Missing if there
// is none, or Failed.
//
// Meanwhile this proxy holds back its other appends to the head. So when all proxies that see the
// head's length settle it, nobody appends, and the first swap succeeds.
func (e *Engine) Settle(key []byte, limit int) verbs.Reply {
	p := plan{e: e, key: key, limit: limit}
	e.hold(key, true)
	defer e.hold(key, false)
	return p.carryOut(func(head verbs.Reply) bool { return len(head.Data) > limit })
}

// carryOut rewrites the structure until need returns false for the head, at most CommitTries times: others
// may rewrite it meanwhile, too.
//
// What was pruned depends not only on the text of the head, but on when it was read. Since then the
// head may have been rewritten and appended to until it begins with the same text again, and a
// member that was pruned may have been added again. That is impossible if the text has a pointer,
// since its id is never used again. If it has none, the head must not have changed at all; if it
// has, the next try does not prune.
func (p *plan) carryOut(need func(head verbs.Reply) bool) verbs.Reply {
	for range CommitTries {
		r := p.e.Ask(verbs.Op{Kind: verbs.Fetch, Key: p.key})
		if r.Status != verbs.Hit {
			return r
		}
		if !need(r) {
			return verbs.Reply{Status: verbs.Stored}
		}
		of := format.VersionOf(&r)
		ch, r := p.rewrite(bytes.Clone(r.Data), nil)
		switch {
		case ch != nil:
			if p.pruned && !bytes.HasPrefix(ch.old, []byte{'@'}) {
				ch.of = of
			}
			r = p.e.commit(p.key, ch, CommitTries)
			p.unpruned = r.Status == verbs.Exists
		case r.Status == verbs.Missing:
			r = p.e.recheck(p.key)
		}
		if r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Contended(p.e.Shown(p.e.owner(p.key)))
}

// recheck is called when a part of a structure is missing. It loads the structure, which deletes
// the head if the part was evicted, and returns Exists if a retry makes sense, or Failed.
func (e *Engine) recheck(key []byte) verbs.Reply {
	if s := e.LoadOne(key, Counted); s.Reply.Status == verbs.Failed {
		return s.Reply
	}
	return verbs.Reply{Status: verbs.Exists}
}
