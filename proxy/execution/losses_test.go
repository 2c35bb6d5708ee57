package execution

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// However many structures are lost, few lines are written, and all are counted.
func TestLossesAreLoggedNowAndThen(t *testing.T) {
	var log bytes.Buffer
	x := &Executor{}
	x.Log = slog.New(slog.NewTextHandler(&log, nil))
	x.Pool = &pool.Pool{All: []*pool.Member{{Upstream: upstream.Upstream{Name: "cache1"}}}}
	for i := range 50 {
		x.NoteLost(fmt.Appendf(nil, "set%d", i))
	}
	x.losses.logged = time.Now().Add(-2 * lossPause)
	x.NoteLost([]byte("last"))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	want := []string{"key=set0 upstream=cache1 more=0", "key=last upstream=cache1 more=49"}
	if len(lines) != len(want) || !strings.HasSuffix(lines[0], want[0]) || !strings.HasSuffix(lines[1], want[1]) {
		t.Errorf("the lines are %q, expected to end in %q", lines, want)
	}
	if x.Counts.Incomplete != 51 {
		t.Errorf("%d are counted", x.Counts.Incomplete)
	}
}
