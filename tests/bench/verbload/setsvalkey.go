//go:build linux

package verbload

import (
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// ValkeySadd adds a member to a set of Valkey.
func (s Sets) ValkeySadd() load.Source {
	heads, tails := s.valkeyPairs("SADD", s.Pool)
	return &source{heads: heads, tails: tails, want: &resp.Want{Kind: ':', Max: 1}}
}

// ValkeySismember asks Valkey what [Sets.Sismember] asks memverbs.
func (s Sets) ValkeySismember() load.Source {
	heads, tails := s.valkeyPairs("SISMEMBER", s.Members)
	return &source{heads: heads, tails: tails, replies: [][]byte{valkeyNumber(1)}}
}

// ValkeyScard asks Valkey what [Sets.Scard] asks memverbs.
func (s Sets) ValkeyScard() load.Source {
	return &source{heads: s.collections().valkeyAsks("SCARD"), replies: [][]byte{valkeyNumber(s.Members)}}
}

// ValkeySmembers fills Valkey, and returns a source of requests for all members of a set.
func (s Sets) ValkeySmembers(t load.Target) (load.Source, error) {
	if err := s.ValkeyFill(t); err != nil {
		return nil, err
	}
	h := hashed{keys: s.Keys, parts: s.Members, strings: 1,
		part:   func(i int) []byte { return valkeyString(s.Member(i)) },
		lookUp: func(key, i int) []byte { return resp.AppendCommand(nil, "SISMEMBER", s.Key(key), s.Member(i)) },
		found:  &resp.Want{Kind: ':', Min: 1, Max: 1},
	}
	return h.source(t, s.collections().valkeyAsks("SMEMBERS"))
}

// ValkeyFill empties Valkey and adds the members.
func (s Sets) ValkeyFill(t load.Target) error {
	return s.collections().fillValkey(t, "SADD", func(from, until int) int { return until - from })
}

// ValkeySpop asks Valkey what [Sets.Spop] asks memverbs.
func (s Sets) ValkeySpop() load.Source { return s.collections().newValkeyPop("SPOP") }

// valkeyPairs returns heads for each set and tails for each of so many members.
func (s Sets) valkeyPairs(command string, members int) (heads, tails [][]byte) {
	return each(s.Keys, func(i int) []byte { return valkeyHead(3, command, s.Key(i)) }),
		each(members, func(i int) []byte { return valkeyString(s.Member(i)) })
}
