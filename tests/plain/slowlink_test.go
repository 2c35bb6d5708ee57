package plain

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A large value arrives over a slow link for as long as it takes, several times --timeout, and what others
// ask the same server for meanwhile is answered at once, over another connection.
func TestLargeReplyOverASlowLink(t *testing.T) {
	t.Parallel()
	const size, rate = 900_000, 1000 // bytes, and kB/s in each connection
	const timeout = 250 * time.Millisecond
	store := harness.StartMemcached(t, harness.Newest)
	link := harness.StartLink(t, store.Addr)
	m := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", timeout.String())
	large, small := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	value := fmt.Sprintf("VALUE large 0 %d\r\n%s\r\nEND\r\n", size, strings.Repeat("v", size))
	large.Ask(fmt.Sprintf("set large 0 0 %d\r\n%s\r\nset small 0 0 1\r\nx\r\n", size, strings.Repeat("v", size)), "STORED\r\nSTORED\r\n")
	large.Ask("get large\r\n", value)

	link.Add(t, harness.Toxic{Type: "bandwidth", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"rate": rate}})
	begin, done := time.Now(), make(chan error)
	large.Send("get large\r\n")
	got := make([]byte, len(value))
	go func() {
		_ = large.Conn().SetReadDeadline(begin.Add(harness.Patience))
		_, err := io.ReadFull(large.Conn(), got)
		done <- err
	}()
	meanwhile := 0
	for under := true; under; {
		small.Ask("get small\r\n", "VALUE small 0 1\r\nx\r\nEND\r\n")
		select {
		case err := <-done:
			if under = false; err != nil || string(got) != value {
				t.Errorf("the large value did not arrive: %v", err)
			}
		case <-time.After(time.Millisecond):
			meanwhile++
		}
	}
	if took := time.Since(begin); took < 2*timeout {
		t.Errorf("the link was so quick that the value took %v only", took)
	}
	if meanwhile < 10 {
		t.Errorf("only %d small gets were answered before the large value had arrived", meanwhile)
	}
	if n := m.OwnStats()["upstream_timeouts"]; n != "0" {
		t.Errorf("%s requests have timed out", n)
	}
}
