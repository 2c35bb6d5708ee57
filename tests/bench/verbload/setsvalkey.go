//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"slices"

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
	return &source{heads: heads, tails: tails, replies: [][]byte{[]byte(":1\r\n")}}
}

// ValkeyScard asks Valkey what [Sets.Scard] asks memverbs.
func (s Sets) ValkeyScard() load.Source {
	return &source{heads: s.valkeyAsks("SCARD"), replies: [][]byte{fmt.Appendf(nil, ":%d\r\n", s.Members)}}
}

// ValkeySmembers fills Valkey, and returns a source of requests for all members of
// a set. Valkey is asked for all sets now, as only it knows in which order it gives
// the members.
func (s Sets) ValkeySmembers(t load.Target) (load.Source, error) {
	if err := s.ValkeyFill(t); err != nil {
		return nil, err
	}
	if err := s.settle(t); err != nil {
		return nil, err
	}
	asks := s.valkeyAsks("SMEMBERS")
	replies, err := learnValkey(t, asks, &resp.Want{
		Kind: '*', Min: int64(s.Members), Max: int64(s.Members), Strings: s.Members,
	})
	if err != nil {
		return nil, err
	}
	for _, reply := range replies {
		if err := s.whole(reply); err != nil {
			return nil, err
		}
	}
	return &source{heads: asks, replies: replies}, nil
}

// whole checks that an array has all members in it.
func (s Sets) whole(array []byte) error {
	_, strings, _ := bytes.Cut(array, []byte("\r\n"))
	size := len(valkeyString(s.Member(0)))
	have := map[string]bool{}
	for text := range slices.Chunk(strings, size) {
		have[string(text)] = true
	}
	for i := range s.Members {
		if m := s.Member(i); !have[string(valkeyString(m))] {
			return fmt.Errorf("%s is missing in what Valkey has", m)
		}
	}
	return nil
}

// ValkeyFill empties Valkey and adds the members.
func (s Sets) ValkeyFill(t load.Target) error {
	if err := ValkeyFlush(t); err != nil {
		return err
	}
	return s.chunks(t, func(b *load.Batch, key string, members []string) {
		b.Send(resp.AppendCommand(nil, append([]string{"SADD", key}, members...)...))
		b.ExpectReply(&resp.Want{Kind: ':', Min: int64(len(members)), Max: int64(len(members))})
	})
}

// settle has Valkey finish growing the sets' tables, since the order of members
// changes until that is over. It goes on with it whenever it is asked for one.
func (s Sets) settle(t load.Target) error {
	return load.Fill(t, s.Keys*s.Members, func(i int, b *load.Batch) {
		b.Send(resp.AppendCommand(nil, "SISMEMBER", s.Key(i%s.Keys), s.Member(i/s.Keys)))
		b.ExpectReply(&resp.Want{Kind: ':', Min: 1, Max: 1})
	})
}

// valkeyPairs returns heads for each set and tails for each of so many members.
func (s Sets) valkeyPairs(command string, members int) (heads, tails [][]byte) {
	return each(s.Keys, func(i int) []byte { return valkeyHead(3, command, s.Key(i)) }),
		each(members, func(i int) []byte { return valkeyString(s.Member(i)) })
}

func (s Sets) valkeyAsks(command string) [][]byte {
	return each(s.Keys, func(i int) []byte { return resp.AppendCommand(nil, command, s.Key(i)) })
}
