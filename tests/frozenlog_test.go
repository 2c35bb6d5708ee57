package tests

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A memcached that has hung is a while late with its clock when it goes on. It then still finds
// items that have expired, and they are gone a moment later. What is put into the log of such an
// item is not. Whether the clock or the requests come first when it goes on is a matter of luck,
// so there are two.
func TestEventsOutliveAFrozenClock(t *testing.T) {
	t.Parallel()
	for n := range 2 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			freezeBetweenRounds(t)
		})
	}
}

// freezeBetweenRounds freezes a store while the chunk begins that uses the items of logs again, and
// expects that what was put into the logs before the store goes on is in them afterwards.
func freezeBetweenRounds(t *testing.T) {
	const chunk, chunks, logs = 3 * time.Second, 2, 40
	store := harness.StartMemcached(t, "1.6.38")
	// Only the first answer comes from the late clock. It catches up before the next request.
	link := harness.StartLink(t, store.Addr)
	link.Add(t, harness.Toxic{Type: "latency", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"latency": 200}})
	m := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", "20s",
		"--log-chunk", chunk.String(), "--log-chunks", fmt.Sprint(chunks))
	c := harness.Dial(t, m.Addr)
	awaitTime := func(at time.Time) {
		t.Helper()
		harness.Await(t, at.String(), func() bool { return !time.Now().Before(at) })
	}

	begins := time.Now().Truncate(chunk).Add(chunk)
	awaitTime(begins)
	for n := range logs {
		c.Send(fmt.Sprintf("logput log%d 0 0 3\r\nold\r\n", n))
	}
	c.Expect(strings.Repeat("STORED\r\n", logs))
	next := begins.Add(chunks * chunk) // the chunk that uses the items again
	awaitTime(next.Add(-time.Second))
	store.Freeze(t)
	awaitTime(next.Add(1200 * time.Millisecond))
	var waiting []*harness.Client
	for n := range logs {
		p := harness.Dial(t, m.Addr)
		p.Send(fmt.Sprintf("logput log%d 0 0 3\r\nnew\r\n", n))
		waiting = append(waiting, p)
	}
	harness.Await(t, "the requests to arrive", func() bool { return m.OwnStats()["verb_logput"] == fmt.Sprint(2*logs) })
	awaitTime(time.Now().Add(50 * time.Millisecond)) // the link hands them on; the frozen store can't say when
	store.Thaw(t)
	for _, p := range waiting {
		p.Expect("STORED\r\n")
	}
	awaitTime(time.Now().Add(2100 * time.Millisecond)) // the store's clock goes on
	for n := range logs {
		c.Send(fmt.Sprintf("logfetch log%d\r\n", n)) // all at once, as each answer takes a while
	}
	for n := range logs {
		if got := c.Until("END"); !strings.Contains(got, "new") {
			t.Errorf("log%d has lost its event: %q", n, got)
		}
	}
}
