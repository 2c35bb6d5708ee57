package structures

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// As many as can count one member of a ranking, as fast as they can, through two proxies. No two
// are told the same sum, and the greatest is how many there were.
func TestNoTwoAreToldTheSameSum(t *testing.T) {
	proxies, stores := startPool(t, 2, "--structure-item-size", "16KB")
	for _, store := range stores {
		t.Run(store.Version, func(t *testing.T) { countTogether(t, proxies, store, atLength(time.Second, 20*time.Second)) })
	}
}

func countTogether(t *testing.T, proxies []*harness.Memverbs, store *harness.Memcached, d time.Duration) {
	const connections = 32
	key := keyOn(t, proxies[0], store)
	done := until(t, d)
	sums := make([][]int, connections)
	var wait sync.WaitGroup
	for i := range sums {
		wait.Go(func() {
			s := session{addr: proxies[i%len(proxies)].Addr}
			defer s.close()
			for s.connect() {
				select {
				case <-done:
					return
				default:
				}
				line, _, err := s.ask(fmt.Sprintf("zincrby %s 1 hot\r\n", key))
				var sum int
				if _, scanned := fmt.Sscanf(line, "%d", &sum); err != nil || scanned != nil {
					t.Errorf("counting: %q, %v", line, err)
					return
				}
				sums[i] = append(sums[i], sum)
			}
		})
	}
	wait.Wait()
	told := map[int]bool{}
	for i, of := range sums {
		for n, sum := range of {
			if told[sum] || n > 0 && sum <= of[n-1] {
				t.Fatalf("caller %d is told %d, after %d others", i, sum, len(told))
			}
			told[sum] = true
		}
	}
	for n := range told {
		if n < 1 || n > len(told) {
			t.Fatalf("%d callers are told %d", len(told), n)
		}
	}
	t.Logf("%d counted, %.0f/s", len(told), float64(len(told))/d.Seconds())
	for _, m := range proxies {
		harness.Dial(t, m.Addr).Ask("zget "+key+" hot\r\n", fmt.Sprintf("%d\r\n", len(told)))
	}
}
