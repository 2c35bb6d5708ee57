package sets

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A defect is found and reduced to a minimal history.
func TestShrink(t *testing.T) {
	defer func(before verbs.Verb) { srem = before }(srem)
	srem.Run = verbs.Coroutine(func(c *verbs.Call) { // answered but not done
		c.Ask(verbs.Op{Kind: verbs.Probe, Key: c.Key})
		c.Say("STORED")
	})
	tr := verbtest.NewTrack(t, &rules)
	for seed := uint64(1); seed < 1000; seed++ {
		choose := verbtest.NewRandom(seed, 0)
		race := randomRace(choose.Rand)
		if _, wrong := tr.Run(&race, choose); wrong == "" {
			continue
		}
		got := tr.Shrink(&race, choose.Taken)
		if n := strings.Count(got, "srem") + strings.Count(got, "sadd"); n > 6 {
			t.Errorf("%s", got)
		}
		return
	}
	t.Error("not found")
}
