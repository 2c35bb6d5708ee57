package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// tally is how a request counts among what clients have asked for: as
// memcached 1.6.45 counts it, which depends on the flags of a meta command.
type tally uint8

const (
	uncounted  tally = iota // what the proxy asks for itself: no client's
	asGet                   // and for each key of a retrieval
	asTouch                 // so do gat and gats, and not as get
	asGetTouch              // mg with T: a touch where there is an item, a get where there is none
	asSet                   // whatever comes of it
	asCas                   // a set, and a comparison
	asDelete
	asStale // md with I: a delete where it fails only, as the item stays
	asIncr
	asDecr
	asDebug // me, which is all that memcached counts as cmd_meta
	numTallies
)

var tallies = [protocol.NumCommands]tally{
	protocol.Get: asGet, protocol.Gets: asGet, protocol.Gat: asTouch, protocol.Gats: asTouch,
	protocol.Set: asSet, protocol.Add: asSet, protocol.Replace: asSet, protocol.Append: asSet, protocol.Prepend: asSet,
	protocol.Cas: asCas, protocol.MetaSet: asSet,
	protocol.Delete: asDelete, protocol.Incr: asIncr, protocol.Decr: asDecr, protocol.Touch: asTouch,
	protocol.MetaGet: asGet, protocol.MetaDelete: asDelete, protocol.MetaArithmetic: asIncr, protocol.MetaDebug: asDebug,
}

// tallyOf returns how a client's request counts.
func tallyOf(req *protocol.Request) tally {
	t := tallies[req.Command]
	if !req.Command.Meta() {
		return t
	}
	switch {
	case t == asGet && req.HasFlag('T'):
		return asGetTouch
	case t == asSet && req.HasFlag('C') && (req.Mode == 0 || req.Mode == 'S' || req.Mode == 'R'):
		return asCas
	case t == asDelete && req.HasFlag('I'):
		return asStale
	case t == asIncr && (req.Mode == 'D' || req.Mode == '-'):
		return asDecr
	}
	return t
}

// tallied is how often what clients asked for was there, and how often not.
type tallied struct {
	hits    [numTallies]uint64
	misses  [numTallies]uint64
	unequal uint64 // comparisons that found another CAS
	sets    uint64
}

// count enters the reply to p, which r holds.
func (s *tallied) count(p *pending, r *replyReader) {
	switch {
	case p.tally == uncounted:
	case p.command.Retrieval():
		s.hits[p.tally] += uint64(r.values)
		s.misses[p.tally] += uint64(max(0, int(p.keys)-r.values))
	case r.unit.Kind == protocol.ReplyError:
	default:
		s.countStatus(p, r.unit.Line)
	}
}

// countStatus enters a reply of one line to a request for one key. The line is
// empty where a value has gone through.
func (s *tallied) countStatus(p *pending, line []byte) {
	switch string(line[:min(2, len(line))]) {
	case "EN", "NF", "NO", "NS": // NOT_FOUND, NOT_STORED
		s.miss(p.tally)
	case "EX":
		s.differ(p.tally)
	default: // also where ma has made an item, which memcached counts nowhere, but does not tell
		s.hit(p.tally)
	}
}

func (s *tallied) hit(t tally) {
	switch t {
	case asStale:
	case asGetTouch:
		s.hits[asTouch]++
	case asSet, asCas:
		s.sets++
		s.hits[t]++
	default:
		s.hits[t]++
	}
}

func (s *tallied) miss(t tally) {
	switch t {
	case asStale:
		s.misses[asDelete]++
	case asGetTouch:
		s.misses[asGet]++
	case asSet, asCas:
		s.sets++
		s.misses[t]++
	default:
		s.misses[t]++
	}
}

// differ enters that an item had another CAS than the one given.
func (s *tallied) differ(t tally) {
	switch t {
	case asDelete, asStale:
		s.misses[asDelete]++
	case asCas:
		s.sets++
		s.unequal++
	case asSet:
		s.sets++
	}
}

// countCarried enters a request for a key that names a verb, as one for an item
// under that key.
func (s *tallied) countCarried(t tally, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Stored, verbkeys.Hit:
		s.hit(t)
	case verbkeys.NotStored, verbkeys.Missing:
		s.miss(t)
	}
}

// add adds what another loop has counted.
func (s *tallied) add(other *tallied) {
	for i := range s.hits {
		s.hits[i] += other.hits[i]
		s.misses[i] += other.misses[i]
	}
	s.unequal += other.unequal
	s.sets += other.sets
}
