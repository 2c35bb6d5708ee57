package operation

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A memcached with a memory file (-e) keeps its items when it is stopped by SIGUSR1 and started again. Those
// that were changed or deleted meanwhile are not read any more, a structure among them is whole.
func TestMemcachedThatKeepsItsItems(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "items")
	store := harness.StartMemcached(t, harness.Versions[1], "-e", file, "-m", "64")
	m := harness.StartMemverbs(t, "--upstream", store.Addr)
	c := harness.Dial(t, m.Addr)
	c.Ask("set changed 0 0 3\r\nold\r\nset deleted 0 0 3\r\nold\r\nset other 0 0 1\r\nx\r\nsadd members a b\r\n", strings.Repeat("STORED\r\n", 4))
	store.StopGracefully(t)
	harness.Await(t, "the outage", func() bool { return m.FoundServerDown() })
	for _, request := range []string{"set changed 0 0 3\r\nnew\r\n", "delete deleted\r\n", "sadd members c\r\n"} {
		c.Send(request)
		if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+store.Addr) {
			t.Errorf("%q was answered by %q", request, line)
		}
	}
	stopped := stopTime(t, file+".meta")
	harness.Await(t, "the second in which it was stopped to be over", func() bool { return time.Now().Unix() > stopped })
	store.Restart(t)
	harness.Await(t, "the return", func() bool {
		return strings.Contains(m.Log(), "were deleted there\" upstream="+store.Addr+" keys=2")
	})
	c.Ask("get changed deleted other\r\nscard members\r\n", "VALUE other 0 1\r\nx\r\nEND\r\n2\r\n")
}

// stopTime returns when a memcached was stopped, in seconds, by what it has written beside its memory file. If
// it is started again within that second, it refuses the file and begins empty.
func stopTime(t *testing.T, meta string) int64 {
	t.Helper()
	text, err := os.ReadFile(meta)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "Kstop_time ")
	seconds, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
