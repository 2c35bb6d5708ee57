package structures

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// duration is how long a soak takes. Without it the tests are short.
var duration = flag.Duration("soak", 0, "have the tests of what goes wrong share that time, and the others run at full size")

// seed makes a run choose as another did. What happens is not the same, as the
// processes are not.
var seed = flag.Uint64("seed", 0, "the seed of the choices, 0 for a new one")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(harness.Main(m))
}

// soaking reports whether the long tests are wanted.
func soaking() bool { return *duration > 0 }

// atLength returns long in a soak and short otherwise.
func atLength[T any](short, long T) T {
	if soaking() {
		return long
	}
	return short
}

// chooseSeed returns the seed of a test, and tells it.
func chooseSeed(t *testing.T) uint64 {
	t.Helper()
	chosen := *seed
	for chosen == 0 {
		chosen = rand.Uint64()
	}
	t.Logf("-seed %d", chosen)
	return chosen
}

// until returns a channel that is closed when d has passed or the test has
// failed.
func until(t *testing.T, d time.Duration) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		end := time.After(d)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for !t.Failed() {
			select {
			case <-end:
				return
			case <-tick.C:
			}
		}
	}()
	return done
}
