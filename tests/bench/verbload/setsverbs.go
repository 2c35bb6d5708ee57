//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Sadd adds a member to a set by the verb.
func (s Sets) Sadd() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "sadd %s ", s.Key(i)) }),
		tails:   each(s.Pool, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", s.Member(i)) }),
		replies: [][]byte{stored},
	}
}

// Append is what [Sets.Sadd] comes to in memcached, as a plain command.
func (s Sets) Append() load.Source {
	size := len(s.Member(0)) + len("+ ")
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "append %s 0 0 %d\r\n+", s.Key(i), size) }),
		tails:   each(s.Pool, func(i int) []byte { return fmt.Appendf(nil, "%s \r\n", s.Member(i)) }),
		replies: [][]byte{stored},
	}
}

// Smembers asks for all members of a set.
func (s Sets) Smembers() load.Source {
	var members []byte
	for i := range s.Members {
		members = append(append(members, s.Member(i)...), ' ')
	}
	members = bytes.TrimSuffix(members, []byte(" "))
	return &source{
		heads: each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "smembers %s\r\n", s.Key(i)) }),
		replies: each(s.Keys, func(i int) []byte {
			return fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\nEND\r\n", s.Key(i), len(members), members)
		}),
	}
}

// Sismember asks whether somebody is a member of a set who is.
func (s Sets) Sismember() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "sismember %s ", s.Key(i)) }),
		tails:   each(s.Members, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", s.Member(i)) }),
		replies: [][]byte{one},
	}
}

// Scard asks how many members a set has.
func (s Sets) Scard() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "scard %s\r\n", s.Key(i)) }),
		replies: [][]byte{append(strconv.AppendInt(nil, int64(s.Members), 10), "\r\n"...)},
	}
}

// FillItems empties the memcacheds behind memverbs and makes each set one item,
// as it is after somebody has compacted it, or worn. memverbs and the article's
// algorithm both take it for a set.
func (s Sets) FillItems(t load.Target) error {
	log := s.log()
	if err := Flush(t); err != nil {
		return err
	}
	return load.Fill(t, s.Keys, func(i int, b *load.Batch) {
		b.Send(fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", s.Key(i), len(log), log))
		b.ExpectLast(stored)
	})
}

// FillVerbs empties the memcacheds behind memverbs and adds the members by the
// verb, some at a time, so that large sets are laid out as memverbs does that.
func (s Sets) FillVerbs(t load.Target) error {
	if err := Flush(t); err != nil {
		return err
	}
	return s.chunks(t, func(b *load.Batch, key string, members []string) {
		b.Send([]byte("sadd " + key))
		for _, m := range members {
			b.Send([]byte(" " + m))
		}
		b.Send([]byte("\r\n"))
		b.ExpectLast(stored)
	})
}

// chunks fills a target with members, a few of a set at a time.
func (s Sets) chunks(t load.Target, add func(b *load.Batch, key string, members []string)) error {
	few := max(100, s.Members/100)
	perSet := (s.Members + few - 1) / few
	return load.Fill(t, s.Keys*perSet, func(i int, b *load.Batch) {
		key, from := s.Key(i/perSet), i%perSet*few
		var members []string
		for m := from; m < min(from+few, s.Members); m++ {
			members = append(members, s.Member(m))
		}
		add(b, key, members)
	})
}
