package verbs

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// Whoever asks through three proxies, the clock of one of which is a second fast, gets together what is allowed, no more and no less,
// and as much again after memcached has forgotten what was counted.
func TestLimitIsSharedByProxies(t *testing.T) {
	t.Parallel()
	for _, version := range []string{harness.Versions[0], harness.Newest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, version)
			proxies := []*harness.Memverbs{
				harness.StartPlainMemverbs(t, "--upstream", store.Addr),
				harness.StartPlainMemverbs(t, "--upstream", store.Addr),
				harness.StartMemverbsAhead(t, time.Second, "--upstream", store.Addr),
			}
			for range 2 {
				if allowed := askOften(t, proxies); allowed != 100 {
					t.Errorf("%d of 100 are allowed", allowed)
				}
				harness.Dial(t, store.Addr).Ask("flush_all\r\n", "OK\r\n")
			}
		})
	}
}

// askOften has clients ask for one, or for three, through all proxies until all is given away, and returns how much they
// got.
func askOften(t *testing.T, proxies []*harness.Memverbs) int {
	var allowed atomic.Int64
	ask := func(c *harness.Client, n int64) {
		request := "limit shared 100 3600"
		if n > 1 {
			request += " 3"
		}
		for refused := 0; refused < 3; {
			switch got := answer(c, request); {
			case strings.HasPrefix(got, "1 "):
				allowed.Add(n)
			case strings.HasPrefix(got, "0 "):
				refused++
			default:
				t.Errorf("answered %q", got)
				return
			}
		}
	}
	var all sync.WaitGroup
	for i := range 12 {
		c := harness.Dial(t, proxies[i%len(proxies)].Addr)
		all.Go(func() { ask(c, int64(1+2*(i%2))) })
	}
	all.Wait()
	last := harness.Dial(t, proxies[0].Addr)
	harness.Await(t, "what others were yet to take back", func() bool {
		ask(last, 1)
		return allowed.Load() >= 100
	})
	ask(last, 1)
	return int(allowed.Load())
}
