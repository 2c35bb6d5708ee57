package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A lease is an item that keeps other calls from doing the same work. Two merges at once are
// harmless, but wasteful. leaseTime is how long a merge may take, in seconds, before another one
// may begin. The key of the item is the structure's key, a colon and leaseName.
const (
	leaseTime = 10
	leaseName = "@merge"
)

// IsLease reports whether name is the name of a lease, which follows the structure's key and a
// colon.
func IsLease(name []byte) bool { return string(name) == leaseName }

// merge folds segments of a structure into one if they have become similar in
// size, so that the number of segments stays logarithmic in the structure's size. It can take long,
// so no client waits for it, and only the call that has the lease does it.
func (s *settler) merge(key []byte) {
	r := s.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	h, ok := format.ParseHead(r.Data)
	if r.Status != verbs.Hit || !ok {
		return
	}
	p := plan{s: s, key: key, limit: s.limits.HeadLimit(key)}
	from, to := h.ToMerge(p.short())
	if from == to {
		s.loader.refreshWritten(key, r)
		return
	}
	h, _ = format.ParseHead(bytes.Clone(h.Pointers))
	release, ok := s.lease(key)
	if !ok {
		return
	}
	if ch := p.mergeSome(h, from, to); ch != nil {
		s.hold(key, true)
		defer s.hold(key, false)
		s.writer.commit(key, ch, verbs.Reply{}, CommitTries)
	}
	s.Ask(release)
}

// mergeSome is [plan.merge], but if no call can have the memory for all of these segments, it merges only the
// first ones. It returns nil if it failed.
func (p *plan) mergeSome(h format.Head, from, to int) *change {
	for range verbs.MaxTries {
		switch ch, r := p.merge(h, from, to); {
		case r.Status == verbs.Exists:
		case r.Status == verbs.Dropped && to-from > 2:
			to = from + max((to-from)/2, 2)
		default:
			return ch
		}
	}
	return nil
}

// lease takes the lease of the structure under key. It returns the operation that releases it, or
// false if another call has the lease or the upstream keeps no CAS, without which nothing is merged.
// A client may delete the lease's item and store another one under its key, so only the item that
// lease has stored is deleted.
func (s *settler) lease(key []byte) (release verbs.Op, ok bool) {
	item := append(verbs.AppendPartPrefix(nil, key), leaseName...)
	id := verbs.NewID(s.env)
	s.Ops = append(s.Ops[:0],
		verbs.Op{Kind: verbs.Add, Key: item, Of: key, Data: id[:], Exptime: leaseTime},
		verbs.Op{Kind: verbs.Fetch, Key: item, Of: key})
	replies := s.AskAll(s.Ops)
	added, r := replies[0], replies[1]
	if added.Status != verbs.Stored || r.CAS == 0 || !bytes.Equal(r.Data, id[:]) {
		return release, false
	}
	return verbs.Op{Kind: verbs.DeleteIf, Key: item, Of: key, CAS: r.CAS, Epoch: r.Epoch}, true
}
