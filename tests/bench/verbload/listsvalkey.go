//go:build linux

package verbload

import (
	"fmt"
	"math"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// ValkeyRpush pushes n elements to a list of Valkey.
func (l Lists) ValkeyRpush(n int) load.Source {
	return &source{
		heads: each(l.Keys, func(i int) []byte { return valkeyHead(2+n, "RPUSH", l.Key(i)) }),
		tails: each(l.Pool, func(i int) (few []byte) {
			for _, element := range l.Few(i, n) {
				few = append(few, valkeyString(element)...)
			}
			return few
		}),
		want: &resp.Want{Kind: ':', Min: 1, Max: math.MaxInt64}, // how long the list is now
	}
}

// ValkeyLrange asks Valkey what [Lists.Lrange] asks memverbs.
func (l Lists) ValkeyLrange() load.Source {
	reply := fmt.Appendf(nil, "*%d\r\n", l.Elements)
	for i := range l.Elements {
		reply = append(reply, valkeyString(l.Element(i))...)
	}
	return &source{heads: l.collections().valkeyAsks("LRANGE", "0", "-1"), replies: [][]byte{reply}}
}

// ValkeyLpop asks Valkey what [Lists.Lpop] asks memverbs.
func (l Lists) ValkeyLpop() load.Source { return l.collections().newValkeyPop("LPOP") }

// ValkeyFill empties Valkey and pushes the elements.
func (l Lists) ValkeyFill(t load.Target) error {
	return l.collections().fillValkey(t, "RPUSH", func(_, until int) int { return until })
}
