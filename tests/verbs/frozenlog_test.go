package verbs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A memcached that has hung is a while late with its clock when it goes on. What is put into a log then would
// expire at once, when the clock has caught up, if that took longer than the item is to live.
// Whether the clock or the requests come first when it goes on is a matter of luck, so there are two.
func TestEventsOutliveAFrozenClock(t *testing.T) {
	t.Parallel()
	for n := range 2 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			putWhileFrozen(t)
		})
	}
}

// putWhileFrozen puts events into logs whose store is frozen for longer than their items live, and expects that
// they are there when the store has gone on.
func putWhileFrozen(t *testing.T) {
	const chunk, chunks, lives, logs = time.Second, 6, 10 * time.Second, 40
	store := harness.StartMemcached(t, "1.6.38")
	// Only the first answer comes from the late clock. It catches up before the next request.
	link := harness.StartLink(t, store.Addr)
	link.Add(t, harness.Toxic{Type: "latency", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"latency": 200}})
	m := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", "30s",
		"--log-chunk", chunk.String(), "--log-chunks", fmt.Sprint(chunks))
	c := harness.Dial(t, m.Addr)
	c.Ask("get k\r\n", "END\r\n")
	pass := func(d time.Duration) {
		t.Helper()
		end := time.Now().Add(d)
		harness.Await(t, d.String(), func() bool { return !time.Now().Before(end) })
	}

	store.Freeze(t)
	pass(lives + 500*time.Millisecond)
	var waiting []*harness.Client
	for n := range logs {
		p := harness.Dial(t, m.Addr)
		p.Send(fmt.Sprintf("logput log%d 0 0 3\r\nnew\r\n", n))
		waiting = append(waiting, p)
	}
	harness.Await(t, "the requests to arrive", func() bool { return m.OwnStats()["verb_logput"] == fmt.Sprint(logs) })
	pass(50 * time.Millisecond) // the link hands them on; the frozen store can't say when
	store.Thaw(t)
	for _, p := range waiting {
		p.Expect("STORED\r\n")
	}
	pass(1100 * time.Millisecond) // the store's clock goes on
	for n := range logs {
		c.Send(fmt.Sprintf("logfetch log%d\r\n", n)) // all at once, as each answer takes a while
	}
	for n := range logs {
		if got := c.Until("END"); !strings.Contains(got, "new") {
			t.Errorf("log%d has lost its event: %q", n, got)
		}
	}
}
