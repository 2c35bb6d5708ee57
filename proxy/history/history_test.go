package history

import (
	"math"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
)

var start = time.Unix(1_000_000, 0)

// after returns a snapshot of a pool that has been asked for ten keys a second, of which it has nine.
func after(d time.Duration) *status.Snapshot {
	n := uint64(d / time.Second)
	var h latency.Histogram
	for range n {
		h.Add(100)
	}
	c := status.Command{Name: "get", Results: status.Results{status.OK: 7 * n, status.ClientError: 2 * n, status.ServerError: n}}
	c.Latency[status.OK] = h
	return &status.Snapshot{Taken: start.Add(d), Pools: []status.Pool{{
		Name: "main", Commands: []status.Command{c}, Keys: []status.Keys{{Operation: "set"}, {Operation: "get", Hits: 9 * n, Misses: n}},
	}}}
}

// The history has what happened between two snapshots, of the last hour only.
func TestHistory(t *testing.T) {
	t.Parallel()
	var h History
	const long = 3 * time.Hour
	for d := time.Duration(0); d <= long; d += Step {
		h.Add(after(d))
	}
	all := h.Of("main", time.Time{})
	if len(all) != most {
		t.Fatalf("%d points, expected %d", len(all), most)
	}
	for i, p := range all {
		want := Point{At: start.Add(long - Span + time.Duration(i+1)*Step), Requests: 10, Hits: 9, Misses: 1, ClientErrors: 2, ServerErrors: 1, Median: p.Median, P99: p.P99}
		if p != want || math.Abs(p.Median.Seconds()-1e-4) > 3e-5 || p.P99 != p.Median {
			t.Errorf("point %d is %+v, expected %+v", i, p, want)
		}
	}
	if newest := h.Of("main", start.Add(long-2*Step)); len(newest) != 2 || newest[1] != all[most-1] {
		t.Errorf("the last two: %+v", newest)
	}
	if none := h.Of("other", time.Time{}); none != nil {
		t.Errorf("a pool that is not there: %+v", none)
	}
}

// However often snapshots are added, there are not more points.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	var h History
	for d := time.Duration(0); d <= Span; d += 2 * time.Second {
		h.Add(after(d))
	}
	if n := len(h.Of("main", time.Time{})); n > most {
		t.Errorf("%d points, expected at most %d", n, most)
	}
	h.Add(&status.Snapshot{Taken: start.Add(Span)})
	if len(h.pools) != 0 {
		t.Error("a pool that is gone is remembered")
	}
}

// When the counts are reset, rates are those since then. When nobody has looked for long, what is old is dropped.
func TestHistoryAfterReset(t *testing.T) {
	t.Parallel()
	var h History
	h.Add(after(0))
	h.Add(after(time.Minute))
	reset := after(10 * time.Second)
	reset.Taken = start.Add(time.Minute + 10*time.Second)
	h.Add(reset)
	if all := h.Of("main", time.Time{}); len(all) != 2 || all[1].Requests != 10 {
		t.Errorf("after the reset: %+v", all)
	}
	h.Add(after(2 * Span))
	if all := h.Of("main", time.Time{}); len(all) != 1 {
		t.Errorf("after a long time: %+v", all)
	}
}
