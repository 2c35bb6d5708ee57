//go:build linux

package verbload

import (
	"fmt"
	"math"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Posts are lists whose elements are data: text of Size bytes, with a space after each word of five letters. Keys and
// Elements must be at least 1, and Size at least 10.
type Posts struct {
	Keys     int // how many lists there are
	Elements int // how many elements each has in the beginning
	Pool     int // from how many elements those to push are drawn
	Size     int // of an element, in bytes
}

// Key returns the name of a list.
func (p Posts) Key(i int) string { return fmt.Sprintf("posts:%07d", i) }

// Element returns an element.
func (p Posts) Element(i int) string {
	return fmt.Sprintf("p%09d", i) + strings.Repeat(" words", p.Size/len(" words"))[:p.Size-len("p000000000")]
}

// Rput pushes an element to a list by the verb.
func (p Posts) Rput() load.Source {
	return &source{
		heads:   each(p.Keys, func(i int) []byte { return fmt.Appendf(nil, "rput %s ", p.Key(i)) }),
		tails:   each(p.Pool, p.put),
		replies: [][]byte{stored},
	}
}

// put returns a request that pushes an element, without its head.
func (p Posts) put(i int) []byte { return fmt.Appendf(nil, "0 %d\r\n%s\r\n", p.Size, p.Element(i)) }

// Lpop takes the first element out of a list, which must not get empty.
func (p Posts) Lpop() load.Source {
	return &pop{
		requests: each(p.Keys, func(i int) []byte { return fmt.Appendf(nil, "lpop %s\r\n", p.Key(i)) }),
		heads:    each(p.Keys, func(i int) []byte { return fmt.Appendf(nil, "VALUE %s 0 %d 0\r\n", p.Key(i), p.Size) }),
		size:     p.Size,
	}
}

// FillVerbs empties the memcacheds behind memverbs and pushes the elements by the verb.
func (p Posts) FillVerbs(t load.Target) error {
	if err := Flush(t); err != nil {
		return err
	}
	return p.fill(t, func(b *load.Batch, key string, i int) {
		b.Send(append(fmt.Appendf(nil, "rput %s ", key), p.put(i)...))
		b.ExpectLast(stored)
	})
}

// ValkeyRpush pushes an element to a list of Valkey.
func (p Posts) ValkeyRpush() load.Source {
	return &source{
		heads: each(p.Keys, func(i int) []byte { return valkeyHead(3, "RPUSH", p.Key(i)) }),
		tails: each(p.Pool, func(i int) []byte { return valkeyString(p.Element(i)) }),
		want:  &resp.Want{Kind: ':', Min: 1, Max: math.MaxInt64}, // how long the list is now
	}
}

// ValkeyLpop asks Valkey what [Posts.Lpop] asks memverbs.
func (p Posts) ValkeyLpop() load.Source {
	return collections{p.Keys, p.Elements, p.Key, p.Element}.newValkeyPop("LPOP")
}

// ValkeyFill empties Valkey and pushes the elements.
func (p Posts) ValkeyFill(t load.Target) error {
	if err := ValkeyFlush(t); err != nil {
		return err
	}
	return p.fill(t, func(b *load.Batch, key string, i int) {
		b.Send(resp.AppendCommand(nil, "RPUSH", key, p.Element(i)))
		b.ExpectLast(valkeyNumber(i + 1))
	})
}

// fill pushes the elements of each list by push, one after another.
func (p Posts) fill(t load.Target, push func(b *load.Batch, key string, i int)) error {
	return load.Fill(t, p.Keys*p.Elements, func(n int, b *load.Batch) { push(b, p.Key(n/p.Elements), n%p.Elements) })
}
