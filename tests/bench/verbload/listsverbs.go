//go:build linux

package verbload

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Rpush pushes n elements to a list by the verb.
func (l Lists) Rpush(n int) load.Source {
	return &source{
		heads:   each(l.Keys, func(i int) []byte { return fmt.Appendf(nil, "rpush %s ", l.Key(i)) }),
		tails:   each(l.Pool, func(i int) []byte { return []byte(strings.Join(l.Few(i, n), " ") + "\r\n") }),
		replies: [][]byte{stored},
	}
}

// Lrange asks for all elements of a list.
func (l Lists) Lrange() load.Source { return l.collections().newList("lrange") }

// Lpop takes the first element out of a list, which must not get empty.
func (l Lists) Lpop() load.Source { return l.collections().newPop("lpop") }

// FillItems empties the memcacheds behind memverbs and makes each list one item, as
// memverbs has it.
func (l Lists) FillItems(t load.Target) error { return fillItems(t, l.Keys, l.item("l>")) }

// FillPlain is FillItems for clients that keep lists without a proxy.
func (l Lists) FillPlain(t load.Target) error { return fillItems(t, l.Keys, l.item("")) }

// SetItems is FillItems through any proxy, behind which the memcacheds need not be empty.
func (l Lists) SetItems(t load.Target) error { return setItems(t, l.Keys, l.item("l>")) }

// item returns the items of lists that are the same, each element after a prefix.
func (l Lists) item(prefix string) func(i int) (key string, value []byte) {
	log := l.log(prefix)
	return func(i int) (string, []byte) { return l.Key(i), log }
}

// FillVerbs empties the memcacheds behind memverbs and pushes the elements by the verb,
// some at a time, so that long lists are laid out as memverbs does that.
func (l Lists) FillVerbs(t load.Target) error { return l.collections().fillVerb(t, "rpush") }
