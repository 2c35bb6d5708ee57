package sets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// mostShrinking is how many shorter schedules are tried.
const mostShrinking = 20_000

// shrink returns what is wrong with the shortest schedule that it finds which
// is wrong too, given one of a race by the decisions that were taken.
func (tr *track) shrink(r *setRace, taken []int) string {
	tries := 0
	fails := func(r *setRace, taken []int) bool {
		tries++
		_, wrong := tr.run(r, &verbtest.AsBefore{Taken: taken})
		return wrong != ""
	}
	race, left := *r, slices.Clone(taken)
	if !fails(&race, left) {
		return "which does not happen again"
	}
	for shorter := true; shorter && tries < mostShrinking; {
		shorter = false
		for _, next := range race.shorter() {
			if fails(&next, left) {
				race, shorter = next, true
				break
			}
		}
		for size := len(left); size > 0 && tries < mostShrinking; size /= 2 {
			for at := 0; at < len(left); {
				next := slices.Delete(slices.Clone(left), at, min(at+size, len(left)))
				if fails(&race, next) {
					left, shorter = next, true
				} else {
					at += size
				}
			}
		}
		for i, n := range left {
			if left[i] = 0; n > 0 && fails(&race, left) {
				shorter = true
			} else {
				left[i] = n
			}
		}
	}
	s, wrong := tr.run(&race, &verbtest.AsBefore{Taken: left})
	return fmt.Sprintf("shortened to %d decisions in %d tries: set %q, %+v, old %v, limit %d\n%s\n%s",
		len(left), tries, race.log, race.options, race.old, race.limit, wrong, s)
}

// shorter returns races with one request less.
func (r *setRace) shorter() (races []setRace) {
	for i := range r.clients {
		for j := range r.clients[i] {
			next := *r
			next.clients = slices.Clone(r.clients)
			next.clients[i] = slices.Delete(slices.Clone(r.clients[i]), j, j+1)
			races = append(races, next)
		}
	}
	return races
}

// A defect is found and shown by as little as it takes.
func TestShrink(t *testing.T) {
	defer func(before verbs.Verb) { srem = before }(srem)
	srem.Run = func(c *verbs.Call) { // acknowledged, but not done
		c.Ask(verbs.Op{Kind: verbs.Probe, Key: c.Key})
		c.Say("STORED")
	}
	tr := newTrack(t)
	for seed := uint64(1); seed < 1000; seed++ {
		choose := verbtest.NewRandom(seed, 0)
		race := randomRace(choose.Rand)
		if _, wrong := tr.run(&race, choose); wrong == "" {
			continue
		}
		got := tr.shrink(&race, choose.Taken)
		if n := strings.Count(got, "srem") + strings.Count(got, "sadd"); n > 6 {
			t.Errorf("%s", got)
		}
		return
	}
	t.Error("not found")
}
