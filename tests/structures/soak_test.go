package structures

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/tests/harness"
)

// meeting is how many workers meet in a place.
const meeting = 8

// soak is a test in which workers change and read structures through two memverbs, while
// faults happen, and what they have seen is judged. The items of the structures are as small
// as can be, so that they are spread over several, and rewritten, all the time.
type soak struct {
	kinds   []*kind // in turn, one after the other for each place
	faults  []fault
	cramped bool    // the memcacheds have so little memory that they evict
	second  starter // of the second memverbs, if that is another version
	share   float64 // of the time of all soaks together
}

// starter starts a memverbs with flags.
type starter func(t testing.TB, flags ...string) *harness.Memverbs

// run soaks for the time given, or for its share of a long soak. Short ones go side by side, as
// most of their time is spent waiting.
func (s soak) run(t *testing.T, short time.Duration) {
	if !soaking() {
		t.Parallel()
	}
	d := atLength(short, time.Duration(s.share*float64(*duration)))
	seed := chooseSeed(t)
	n, y, c := startNemesis(t, seed, s.cramped, d, s.second), newTally(), newCrowd(s.cramped)
	n.tally, n.crowd = y, c
	var working, judging sync.WaitGroup
	places := s.kinds[0].places
	for i := range places {
		k := s.kinds[i%len(s.kinds)]
		p := &place{kind: k, crowd: c, name: fmt.Sprintf("%s%d", k.name, i), random: rand.New(rand.NewPCG(seed, uint64(1001+i)))}
		p.renew()
		for j := range meeting {
			id := i*meeting + j
			w := newWorker(t, id, p, rand.New(rand.NewPCG(seed, uint64(id))), y)
			w.session.addr = n.memverbs[j%len(n.memverbs)].Addr
			working.Go(func() { w.work(n.done) })
		}
	}
	for range 2 {
		judging.Go(func() {
			for h := range c.complete {
				judge(t, h, y, n.memcacheds)
			}
		})
	}
	if s.cramped {
		working.Go(func() { n.drown(rand.New(rand.NewPCG(seed, 999))) })
	}
	n.rage(s.faults, 10*time.Second)
	working.Wait()
	c.end()
	judging.Wait()
	s.conclude(t, n)
	t.Log(y)
}

// manyAnswers is after how many answers some structure must have been compacted. On a machine that does much else,
// seconds may bring fewer.
const manyAnswers = 1000

// conclude checks that the soak has been one.
func (s soak) conclude(t *testing.T, n *nemesis) {
	y := n.tally
	for _, m := range n.memverbs {
		y.countUp(m)
	}
	for _, m := range n.memcacheds {
		y.countEvictions(m)
	}
	if n, all := y.verdicts[string(porcupine.Unknown)], y.histories.Load(); int64(n)*undecided > all {
		t.Errorf("on %d of %d histories there is no verdict", n, all)
	}
	if s.kinds[0].folds && y.answered.Load() > manyAnswers && y.counted["compactions_won"] == 0 {
		t.Errorf("no %s was ever compacted", s.kinds[0].name)
	}
	if s.cramped && soaking() && y.evicted.Load() == 0 && s.kinds[0].nothing != nil { // where there is no state, nothing tells
		t.Error("no history tells of an eviction, so this has shown nothing")
	}
	if s.cramped && soaking() && s.kinds[0].parts && y.counted["structures_incomplete"] == 0 {
		t.Errorf("no %s was evicted in part", s.kinds[0].name)
	}
}

// startNemesis starts a memcached of each version, two memverbs, and a link to
// each memcached that goes wrong. Both memverbs take the same links, as the
// name of an upstream decides what is kept there.
func startNemesis(t *testing.T, seed uint64, cramped bool, d time.Duration, second starter) *nemesis {
	n := &nemesis{t: t, random: rand.New(rand.NewPCG(seed, 1000))}
	var flagsOfStores []string
	if cramped {
		// Few classes of items, so that each is crowded, of which those are evicted first that were
		// stored first, though they be in use.
		flagsOfStores = []string{"-m", "3", "-f", "2", "-o", "no_lru_maintainer"}
	}
	// What was refused has no effect with on-return: keep; otherwise a delete may have one later, and twice.
	flags := []string{"--verb-keys", "verb/", "--on-return", "keep", "--timeout", "250ms", "--connect-timeout", "100ms", "--structure-item-size", "1KB", "--compact-dirtiness", "10"}
	for _, version := range harness.Versions {
		m := harness.StartMemcached(t, version, flagsOfStores...)
		l := harness.StartLink(t, m.Addr)
		n.memcacheds, n.links = append(n.memcacheds, m), append(n.links, l)
		flags = append(flags, "--upstream", l.Addr)
	}
	if second == nil {
		second = harness.StartMemverbs
	}
	n.memverbs = []*harness.Memverbs{harness.StartMemverbs(t, flags...), second(t, flags...)}
	n.done = until(t, d)
	return n
}
