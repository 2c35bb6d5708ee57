package structures

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// As many as can, as fast as they can, all into one set.
func TestASetThatAllAddTo(t *testing.T) {
	proxies, stores := startPool(t, 2, "--structure-item-size", "16KB")
	for _, store := range stores {
		t.Run(store.Version, func(t *testing.T) { contend(t, proxies, store, atLength(2*time.Second, 30*time.Second)) })
	}
}

func contend(t *testing.T, proxies []*harness.Memverbs, store *harness.Memcached, d time.Duration) {
	const (
		connections = 16
		limit       = 16 << 10
	)
	key := keyOn(t, proxies[0], store)
	before := won(proxies)
	done := until(t, d)
	g := &gauge{session: session{addr: store.Addr}, key: key}
	var wait sync.WaitGroup
	var added atomic.Int64
	wait.Go(func() {
		if err := g.watch(done); err != nil {
			t.Error(err)
		}
	})
	for i := range connections * len(proxies) {
		wait.Go(func() {
			s := session{addr: proxies[i%len(proxies)].Addr}
			defer s.close()
			for n := 0; s.connect(); n++ {
				select {
				case <-done:
					return
				default:
				}
				line, _, err := s.ask(fmt.Sprintf("sadd %s %d-%d\r\n", key, i, n))
				if err != nil || line != "STORED" {
					t.Errorf("the add of %d-%d: %q, %v", i, n, line, err)
					return
				}
				added.Add(1)
			}
		})
	}
	wait.Wait()
	g.read()
	t.Logf("%d added, %.0f/s; the item %d bytes at most; %.1f compactions won per second", added.Load(),
		float64(added.Load())/d.Seconds(), g.most, float64(won(proxies)-before)/d.Seconds())
	for _, m := range proxies {
		harness.Dial(t, m.Addr).Ask("scard "+key+"\r\n", fmt.Sprintf("%d\r\n", added.Load()))
	}
	if g.most > 4*limit {
		t.Errorf("the item took %d bytes", g.most)
	}
}

// won returns how many compactions all have won so far.
func won(proxies []*harness.Memverbs) (sum int) {
	for _, m := range proxies {
		n, _ := strconv.Atoi(m.Stats()["compactions_won"])
		sum += n
	}
	return sum
}
