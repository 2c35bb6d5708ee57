// Package tally counts what clients have asked for and found, as memcached 1.6.45 counts
// it. How a request counts ([Of]) is found when it is sent, as that depends on the flags of
// a meta command; what came of it is entered in [Counts] when the reply is there.
package tally

import "github.com/memverbs/memverbs/protocol"

// Kind is how a request counts.
type Kind uint8

const (
	Uncounted Kind = iota // what the proxy asks for itself: no client's
	Get                   // and for each key of a retrieval
	Touch                 // so do gat and gats, and not as get
	GetTouch              // mg with T: a touch where there is an item, a get where there is none
	Set                   // whatever comes of it
	Cas                   // a set, and a comparison
	Delete
	Stale // md with I: a delete where it fails only, as the item stays
	Incr
	Decr
	Debug // me, which is all that memcached counts as cmd_meta
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

// Counts is how often what clients asked for was there, and how often not.
type Counts struct {
	Hits    [numKinds]uint64
	Misses  [numKinds]uint64
	Unequal uint64 // comparisons that found another CAS
	Sets    uint64
}

// Retrieved enters the reply to a retrieval of so many keys.
func (s *Counts) Retrieved(t Kind, keys, values int) {
	s.Hits[t] += uint64(values)
	s.Misses[t] += uint64(max(0, keys-values))
}

// Answered enters a reply of one line to a request for one key. The line is empty where
// a value has gone through.
func (s *Counts) Answered(t Kind, line []byte) {
	switch string(line[:min(2, len(line))]) {
	case "EN", "NF", "NO", "NS": // NOT_FOUND, NOT_STORED
		s.Miss(t)
	case "EX":
		s.differ(t)
	default: // also where ma has made an item, which memcached counts nowhere, but does not tell
		s.Hit(t)
	}
}

// Hit enters a request that found what it is about, or stored it.
func (s *Counts) Hit(t Kind) {
	switch t {
	case Stale:
	case GetTouch:
		s.Hits[Touch]++
	case Set, Cas:
		s.Sets++
		s.Hits[t]++
	default:
		s.Hits[t]++
	}
}

// Miss enters one that did not.
func (s *Counts) Miss(t Kind) {
	switch t {
	case Stale:
		s.Misses[Delete]++
	case GetTouch:
		s.Misses[Get]++
	case Set, Cas:
		s.Sets++
		s.Misses[t]++
	default:
		s.Misses[t]++
	}
}

// differ enters that an item had another CAS than the one given.
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

// Add adds what another has counted.
func (s *Counts) Add(other *Counts) {
	for i := range s.Hits {
		s.Hits[i] += other.Hits[i]
		s.Misses[i] += other.Misses[i]
	}
	s.Unequal += other.Unequal
	s.Sets += other.Sets
}
