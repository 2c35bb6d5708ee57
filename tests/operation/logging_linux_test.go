package operation

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/harness"
)

// A log that nobody reads any more keeps no client waiting, nor the end.
func TestLogThatNobodyReads(t *testing.T) {
	t.Parallel()
	l := startLogged(t)
	size, err := unix.FcntlInt(l.log.Fd(), unix.F_SETPIPE_SZ, 4096)
	if err != nil {
		t.Fatal(err)
	}
	for full := false; !full; {
		l.loseUpstream(t)
		waiting, err := unix.IoctlGetInt(int(l.log.Fd()), unix.TIOCINQ)
		if err != nil {
			t.Fatal(err)
		}
		full = waiting > size-500 // two lines more
	}
	for range 10 {
		l.loseUpstream(t)
	}
	harness.Dial(t, l.addr).InStep()
	l.end(t)
}
