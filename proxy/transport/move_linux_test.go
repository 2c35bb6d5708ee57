package transport

import (
	"testing"

	"golang.org/x/sys/unix"
)

// While the process has too many descriptors for a pipe, nothing counts as movable, so that it is read in large
// amounts instead. Later it does.
func TestMovesOnlyThroughAPipe(t *testing.T) {
	c, _ := newPaired(t, 100)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	without := c.Moves()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer c.loop.pipe.close()
	if with := c.Moves(); without || !with {
		t.Errorf("moves without a pipe: %v; with one: %v", without, with)
	}
}
