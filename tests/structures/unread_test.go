package structures

import (
	"strconv"
	"testing"
	"time"
)

// A set that is changed for ever and never read must not grow for ever: the
// item under its key stays near the limit by what the writers do.
func TestASetThatIsNeverReadStaysSmall(t *testing.T) {
	const (
		members = 100
		limit   = 128 << 10 // the default of --structure-item-size
		tokens  = 20        // that one command carries
	)
	changes := atLength(400_000, 10_000_000)
	proxies, stores := startPool(t, 1)
	m := proxies[0]
	for _, store := range stores {
		t.Run(store.Version, func(t *testing.T) {
			key := keyOn(t, m, store)
			began := time.Now()
			g := watchHead(t, store, key, func() {
				inParallel(t, changes/tokens, func(first, last int) error {
					return pump(m.Addr, first, last, "STORED", func(dst []byte, n int) []byte {
						// Begin by adding, and remove others than those added last.
						n -= first
						verb, from := "sadd ", n/2*tokens
						if n%2 == 1 {
							verb, from = "srem ", from+members/2
						}
						dst = append(append(dst, verb...), key...)
						for i := range tokens {
							dst = strconv.AppendInt(append(dst, ' ', 'm'), int64((from+i)%members), 10)
						}
						return append(dst, "\r\n"...)
					})
				})
			})
			size, err := g.read()
			t.Logf("%d changes in %v: at the end %d bytes, %d at most", changes, time.Since(began), size, g.most)
			// By the time that a writer learns that the item is too long, others
			// have appended what they had.
			if err != nil || g.most > 2*limit || size < 0 {
				t.Errorf("the item took %d bytes, at the end %d, %v", g.most, size, err)
			}
		})
	}
}
