package verbtest

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// ways returns the alternatives. They are valid until it is called again.
func (s *Schedule) ways() []way {
	ways := s.alternatives[:0]
	defer func() { s.alternatives = ways }()
	for _, p := range s.Clients {
		switch {
		case p.Caller != nil:
			ways = p.Caller.ways(p, ways)
		case p.wait != nil:
		case p.Left > 0:
			ways = append(ways, way{player: p})
		}
	}
	for _, b := range s.behind {
		ways = b.caller.ways(b.player, ways)
	}
	for i := range s.late {
		ways = append(ways, way{late: i + 1})
	}
	for i := range s.turns {
		ways = append(ways, way{turn: i + 1})
	}
	ways = s.waysOfWaits(ways)
	if s.Fewer {
		if len(s.turns) > 0 { // calls gather for as short as possible
			return append(ways[:0], way{turn: 1})
		}
		for i, w := range ways {
			if w.caller != nil && makesNoDifference(&w.caller.ops[w.caller.open[w.open]]) {
				return ways[i : i+1]
			}
		}
	}
	return ways
}

// ways appends the operations of c that can be carried out next: those of one structure
// keep their order, as on one connection, but constant ones, which may be on another.
func (c *Caller) ways(p *Player, ways []way) []way {
	if c.Waits() || c.takenAlong {
		return ways
	}
	for i, n := range c.open {
		if !slices.ContainsFunc(c.open[:i], func(m int) bool { return precedes(&c.ops[m], &c.ops[n]) }) {
			ways = append(ways, way{player: p, caller: c, open: i})
		}
	}
	return ways
}

// precedes reports whether op, which was asked for first, has to be carried out before
// other.
func precedes(op, other *verbs.Op) bool {
	return bytes.Equal(op.Key, other.Key) ||
		!op.Constant && !other.Constant && bytes.Equal(op.RoutingKey(), other.RoutingKey())
}

// makesNoDifference reports whether the order of op and others' operations is
// irrelevant: op changes nothing, or writes a part of a new segment that nobody else
// knows, or reads the item that was stored as the lease of a merge, or is about the one by which memcached
// tells the time.
func makesNoDifference(op *verbs.Op) bool {
	return op.Local() && op.Kind != verbs.Wait ||
		op.Kind == verbs.Add && bytes.HasSuffix(op.Key, []byte(".0")) ||
		op.Kind == verbs.Fetch && bytes.HasSuffix(op.Key, []byte(":@merge")) || tellsTime(string(op.Key))
}
