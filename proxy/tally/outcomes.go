// Package tally counts clients' requests, hits and misses as memcached 1.6.45 does. [Of]
// returns how a request counts when it is sent, since that depends on the flags of a meta
// command. [Counts] counts the outcome when the reply arrives.
package tally

import "github.com/memverbs/memverbs/protocol"

// Kind is how a request counts.
type Kind uint8

const (
	Uncounted Kind = iota // a request of the proxy itself
	Get                   // counted for each key of a retrieval
	Touch                 // includes gat and gats, which don't count as get
	GetTouch              // mg with T: a touch if it hits, a get if it misses
	Set                   // counted whatever the outcome
	Cas                   // a set with a comparison
	Delete
	Stale // md with I: counts as a delete only if it fails, as otherwise the item stays
	Incr
	Decr
	Debug // me, the only command that memcached counts as cmd_meta
	numKinds
)

var kinds = [protocol.NumCommands]Kind{
	protocol.Get: Get, protocol.Gets: Get, protocol.Gat: Touch, protocol.Gats: Touch,
	protocol.Set: Set, protocol.Add: Set, protocol.Replace: Set, protocol.Append: Set, protocol.Prepend: Set,
	protocol.Cas: Cas, protocol.MetaSet: Set,
	protocol.Delete: Delete, protocol.Incr: Incr, protocol.Decr: Decr, protocol.Touch: Touch,
	protocol.MetaGet: Get, protocol.MetaDelete: Delete, protocol.MetaArithmetic: Incr, protocol.MetaDebug: Debug,
}

// Of returns how a client's request counts.
func Of(req *protocol.Request) Kind {
	t := kinds[req.Command]
	if !req.Command.Meta() {
		return t
	}
	switch {
	case t == Get && req.HasFlag('T'):
		return GetTouch
	case t == Set && req.HasFlag('C') && (req.Mode == 0 || req.Mode == 'S' || req.Mode == 'R'):
		return Cas
	case t == Delete && req.HasFlag('I'):
		return Stale
	case t == Incr && (req.Mode == 'D' || req.Mode == '-'):
		return Decr
	}
	return t
}

// Counts are the outcomes of clients' requests.
type Counts struct {
	Hits    [numKinds]uint64
	Misses  [numKinds]uint64
	Unequal uint64 // comparisons with a different CAS
	Sets    uint64
}

// Retrieved counts the reply to a retrieval of keys keys with values values.
func (s *Counts) Retrieved(t Kind, keys, values int) {
	s.Hits[t] += uint64(values)
	s.Misses[t] += uint64(max(0, keys-values))
}

// Answered counts a one-line reply to a request for one key. line is empty if a value
// was passed on in parts.
func (s *Counts) Answered(t Kind, line []byte) {
	switch string(line[:min(2, len(line))]) {
	case "EN", "NF", "NO", "NS": // NOT_FOUND, NOT_STORED
		s.Miss(t)
	case "EX":
		s.differ(t)
	default: // includes an item created by ma, which memcached does not count, but the reply does not show
		s.Hit(t)
	}
}

// Hit counts a request that found its item, or stored it.
func (s *Counts) Hit(t Kind) {
	switch t {
	case Stale:
		return
	case GetTouch:
		t = Touch
	case Set, Cas:
		s.Sets++
	}
	s.Hits[t]++
}

// Miss counts a request that did not find its item, or did not store it.
func (s *Counts) Miss(t Kind) {
	switch t {
	case Stale:
		t = Delete
	case GetTouch:
		t = Get
	case Set, Cas:
		s.Sets++
	}
	s.Misses[t]++
}

// differ counts a request that failed because the item's CAS differs.
func (s *Counts) differ(t Kind) {
	switch t {
	case Delete, Stale:
		s.Misses[Delete]++
	case Cas:
		s.Sets++
		s.Unequal++
	case Set:
		s.Sets++
	}
}

// Add adds other counts.
func (s *Counts) Add(other *Counts) {
	for i := range s.Hits {
		s.Hits[i] += other.Hits[i]
		s.Misses[i] += other.Misses[i]
	}
	s.Unequal += other.Unequal
	s.Sets += other.Sets
}
