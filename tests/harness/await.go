package harness

import (
	"testing"
	"time"
)

// Patience is how long anything that is bound to happen may take. It is no
// measure of anything: a test that gets this far has failed.
const Patience = 20 * time.Second

// Await waits until condition holds, and fails the test if it never does.
func Await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(Patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s, in vain", what)
		}
	}
}
