package harness

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what must happen. A test that has waited
// so long has failed.
const Patience = 20 * time.Second

// The pauses between looks at a condition grow, since hundreds of tests at once that looked all the time
// would slow each other down.
const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 10 * time.Millisecond
)

// Await waits until condition holds, and fails the test if it never does.
func Await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(Patience)
	for pause := shortestPause; !condition(); pause = min(pause*5/4, longestPause) {
		select {
		case <-time.After(pause):
		case <-deadline:
			t.Fatalf("waited for %s, in vain", what)
		}
	}
}
