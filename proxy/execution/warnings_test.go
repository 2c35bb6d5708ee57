package execution

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/warning"
)

// However many structures are lost, few lines are written, and all are counted.
func TestLossesAreLoggedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, log := newLogging()
		for i := range 50 {
			x.env.NoteLost(nil, fmt.Appendf(nil, "set%d", i), "set")
		}
		time.Sleep(warning.Pause)
		x.env.NoteLost(nil, []byte("last"), "list")
		expectLines(t, log, "key=set0 upstream=cache1 more=0", "key=last upstream=cache1 more=49")
		if x.Counts.Pool[status.Incomplete] != 51 || x.Counts.Lost["set"] != 50 || x.Counts.Lost["list"] != 1 {
			t.Errorf("%d are counted", x.Counts.Pool[status.Incomplete])
		}
	})
}

// Nor do warnings of one kind hold back those of another.
func TestForeignTokensAreLoggedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, log := newLogging()
		for i := range 20 {
			x.env.NoteForeign([]byte("k"), fmt.Appendf(nil, "k%d", i), "list", 3)
		}
		x.env.NoteLost(nil, []byte("set"), "set")
		time.Sleep(warning.Pause)
		x.env.NoteForeign([]byte("k"), []byte("k"), "set", 1)
		expectLines(t, log, "key=k0 kind=list tokens=3 upstream=cache1 more=0", "key=set upstream=cache1 more=0", "key=k kind=set tokens=1 upstream=cache1 more=19")
		if x.Counts.Pool[status.Foreign] != 61 {
			t.Errorf("%d are counted", x.Counts.Pool[status.Foreign])
		}
	})
}

// So are structures that are full.
func TestFullStructuresAreLoggedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, log := newLogging()
		for i := range 20 {
			x.env.NoteFull(nil, fmt.Appendf(nil, "k%d", i))
		}
		time.Sleep(warning.Pause)
		x.env.NoteFull(nil, []byte("last"))
		expectLines(t, log, "key=k0 upstream=cache1 more=0", "key=last upstream=cache1 more=19")
		if x.Counts.Pool[status.Full] != 21 {
			t.Errorf("%d are counted", x.Counts.Pool[status.Full])
		}
	})
}

// One structure that is too large for the cache is reported as long as it is read.
func TestUncachedStructuresAreLoggedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, log := newLogging()
		for range 20 {
			x.env.NoteUncached([]byte("k"), []byte("k"), 70_000_000)
		}
		time.Sleep(warning.Pause)
		x.env.NoteUncached([]byte("k"), []byte("k"), 71_000_000)
		expectLines(t, log, "key=k memory=70000000 upstream=cache1 more=0", "key=k memory=71000000 upstream=cache1 more=19")
	})
}

// newLogging returns an executor whose only upstream is cache1, and what it logs.
func newLogging() (*Executor, *bytes.Buffer) {
	var log bytes.Buffer
	x := &Executor{}
	x.env.core = &x.core
	x.Counts, x.Work = &Counts{}, &Work{}
	x.Log = slog.New(slog.NewTextHandler(&log, nil))
	cache := &pool.Member{}
	cache.Name = "cache1"
	x.Pool = &pool.Pool{All: []*pool.Member{cache}}
	return x, &log
}

// expectLines compares the ends of the lines that were logged with want.
func expectLines(t *testing.T, log *bytes.Buffer, want ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if !slices.EqualFunc(lines, want, strings.HasSuffix) {
		t.Errorf("the lines are %q, expected to end in %q", lines, want)
	}
}
