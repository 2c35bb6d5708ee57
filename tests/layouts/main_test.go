package layouts

import (
	"os"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) {
	// A program with the race detector in it sleeps for a second before it ends,
	// in case that a race is still to be told of. Here that would be most of the
	// time, and what ends is idle.
	os.Setenv("GORACE", "atexit_sleep_ms=10")
	os.Exit(harness.Main(m))
}
