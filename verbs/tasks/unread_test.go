package tasks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// No part of a queue in use remains unread for long.
func TestStaysRead(t *testing.T) {
	later := func(r *rand.Rand) int64 { return begun + 1000*r.Int64N(10_000) }
	usage := verbtest.Usage{List: theVerbs, Parts: verbtest.PartsOf, Fill: func(ask func(string) string) {
		for i := range 300 {
			ask(put(fmt.Sprint("later", i), begun+86_400_000))
		}
	}}
	usage.AddAct(func(r *rand.Rand) string { return put(fmt.Sprint("task", r.IntN(300)), later(r)) })
	usage.AddAct(func(r *rand.Rand) string { return put(fmt.Sprint("task", r.IntN(300)), 0) })
	usage.AddAct(func(r *rand.Rand) string { return "tasktake k 5" })
	usage.AddAct(func(r *rand.Rand) string { return "tasklist k" })
	usage.AddAct(func(r *rand.Rand) string { return "tasklen k" })
	for _, then := range []string{"taskdone k %s", "taskkeep k %s 30", "taskretry k %s 0"} {
		usage.Acts = append(usage.Acts, func(r *rand.Rand, ask func(string) string) {
			_, stamps := taken(t, ask("tasktake k 60"))
			for _, stamp := range stamps {
				ask(fmt.Sprintf(then, stamp))
			}
		})
	}
	verbtest.StaysRead(t, &usage)
}
