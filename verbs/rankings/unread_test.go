package rankings

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// No part of a ranking in use remains unread for long.
func TestStaysRead(t *testing.T) {
	member := func(r *rand.Rand) string { return fmt.Sprint(" member", r.IntN(800)) }
	usage := verbtest.Usage{List: theVerbs, Parts: verbtest.PartsOf, Fill: func(ask func(string) string) {
		for i := range 800 {
			ask(fmt.Sprintf("zadd k %d member%d", i, i))
		}
	}}
	for _, verb := range []string{"zadd", "zincrby", "zsub", "zmax", "zmin"} {
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %d%s", verb, r.IntN(100), member(r)) })
	}
	for _, verb := range []string{"zinc", "zdec", "zrem", "zget", "zrank", "zrevrank"} {
		usage.AddAct(func(r *rand.Rand) string { return verb + " k" + member(r) })
	}
	for _, verb := range []string{"zrange", "zrevrange", "zcount", "zbyscore"} {
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %d %d", verb, r.IntN(50), r.IntN(50)) })
	}
	usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("zincrbyp k 1%s %d", member(r), 1+r.IntN(600)) })
	for _, verb := range []string{"zaround", "zrevaround"} {
		usage.AddAct(func(r *rand.Rand) string { return verb + " k" + member(r) + " 3" })
	}
	for _, request := range []string{"zcard k", "zrevbyscore k + - 0 3", "zpopmin k", "zpopmax k", "ztrim k 10000"} {
		usage.AddAct(func(*rand.Rand) string { return request })
	}
	verbtest.StaysRead(t, &usage)
}
