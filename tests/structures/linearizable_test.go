package structures

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

const (
	workers = 32
	places  = 4
)

func TestSetsAreLinearizableWhateverGoesWrong(t *testing.T) {
	soak(t, faultsOfTheWay, atLength(16*time.Second, *duration*6/10))
}

// A set may be gone after a memcached died, but not half of it, nor may it come
// back.
func TestSetsAreLinearizableWhenAMemcachedDies(t *testing.T) {
	soak(t, faultsOfTheStore, atLength(6*time.Second, *duration*2/10))
}

// soak has workers change and read sets through two memverbs, while faults
// happen, and checks what they have seen. The items of the sets are as small as
// can be, so that they are spread over several, and rewritten, all the time.
func soak(t *testing.T, faults []fault, d time.Duration) {
	seed := chooseSeed(t)
	n, y, c := startNemesis(t, seed, d), newTally(), newCrowd()
	n.tally, n.crowd = y, c

	var working, judging sync.WaitGroup
	var all []*place
	for i := range places {
		p := &place{crowd: c, name: fmt.Sprintf("set%d", i), random: rand.New(rand.NewPCG(seed, uint64(100+i))), alone: i%2 == 0}
		p.renew()
		all = append(all, p)
	}
	for i := range workers {
		w := &worker{t: t, id: i, place: all[i%places], random: rand.New(rand.NewPCG(seed, uint64(i))), tally: y}
		w.session.addr = n.memverbs[i/places%len(n.memverbs)].Addr
		working.Go(func() { w.work(n.done) })
	}
	for range 2 {
		judging.Go(func() {
			for h := range c.complete {
				judge(t, h, y, n.memcacheds)
			}
		})
	}
	n.rage(faults, 10*time.Second)
	working.Wait()
	c.end()
	judging.Wait()
	for _, m := range n.memverbs {
		y.countUp(m)
	}
	t.Logf("-seed %d\n%s", seed, y)
	if y.counted["compactions_won"] == 0 {
		t.Error("no set was ever compacted")
	}
}

// startNemesis starts a memcached of each version, two memverbs, and a link to
// each memcached that goes wrong. Both memverbs take the same links, as the
// name of an upstream decides what is kept there.
func startNemesis(t *testing.T, seed uint64, d time.Duration) *nemesis {
	n := &nemesis{t: t, random: rand.New(rand.NewPCG(seed, 1000))}
	flags := []string{"--timeout", "250ms", "--connect-timeout", "100ms", "--structure-item-size", "1KB", "--compact-dirtiness", "10"}
	for _, version := range harness.Versions {
		m := harness.StartMemcached(t, version)
		l := harness.StartLink(t, m.Addr)
		n.memcacheds, n.links = append(n.memcacheds, m), append(n.links, l)
		flags = append(flags, "--upstream", l.Addr)
	}
	for range 2 {
		n.memverbs = append(n.memverbs, harness.StartMemverbs(t, flags...))
	}
	n.done = until(t, d)
	return n
}
