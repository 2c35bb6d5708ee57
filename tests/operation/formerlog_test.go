package operation

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// shortChunks are settings by which event logs have short chunks but keep events for long.
const shortChunks = "1s\n    log-chunk: 1s\n    log-chunks: 120"

// An event that nobody has added to for long is still read at its former server, beside those that are added later at the new one, and
// inspect counts both.
func TestOldEventsRemain(t *testing.T) {
	t.Parallel()
	f := startFormerlyWith(t, shortChunks)
	key := f.keys(t, "log", 1)[0]
	c := harness.Dial(t, f.one.Addr)
	c.Ask("logput "+key+" 0 -60000 3\r\nold\r\n", "STORED\r\n")
	f.change(t)
	for i, c := range f.both(t, 1) {
		c.Ask(fmt.Sprintf("logput %s 0 0 4\r\nnew%d\r\n", key, i), "STORED\r\n")
	}
	for _, c := range f.both(t, 1) {
		if got := events(t, c, key, 1); !slices.Equal(got, []string{"old", "new0", "new1"}) {
			t.Errorf("the log has %v", got)
		}
		c.Send("inspect " + key + "\r\n")
		if got := c.Until("END"); !strings.Contains(got, "STAT members 3\r\n") || !strings.Contains(got, "STAT dead_tokens 0\r\n") {
			t.Errorf("inspect says %q", got)
		}
		c.InStep()
	}
}

// events returns the events of a log from a time on, in the order in which they are answered.
func events(t *testing.T, c *harness.Client, log string, first int64) (list []string) {
	t.Helper()
	list, last, refusal := eventsUnlessRefused(c, log, first)
	if refusal != "" || last < 0 {
		t.Fatalf("logfetch %s was answered by %q, events not in order: %v", log, refusal, last < 0)
	}
	return list
}

// eventsUnlessRefused is events which may be refused. last is the time of the last event, negative if they are not in order.
func eventsUnlessRefused(c *harness.Client, log string, first int64) (list []string, last int64, refusal string) {
	c.Send(fmt.Sprintf("logfetch %s %d\r\n", log, first))
	for {
		line := c.Line()
		if line == "END" {
			return list, last, ""
		}
		var size, at int64
		if _, err := fmt.Sscanf(line, "VALUE "+log+" 0 %d %d", &size, &at); err != nil {
			return nil, 0, line
		}
		if last > at {
			at = -1
		}
		if last >= 0 {
			last = at
		}
		list = append(list, c.Line())
	}
}

// Clients of two processes put events to logs that have remained at their former server, all at the moment at which the last chunk that
// has events there is older than those that were looked for once: each event is read, through either process.
func TestNoEventIsHidden(t *testing.T) {
	t.Parallel()
	const groups, each, looked, chunk = 12, 40, 32, time.Second
	f := startFormerlyWith(t, shortChunks)
	keys := f.keys(t, "log", groups*each)
	c := harness.Dial(t, f.one.Addr)
	end := time.Now().Truncate(chunk).Add(6 * chunk)
	for i, key := range keys {
		c.Ask(fmt.Sprintf("logput %s 0 %d 5\r\nfirst\r\n", key, end.Add(time.Duration(i/each-looked)*chunk).UnixMilli()), "STORED\r\n")
	}
	f.change(t)
	var adding sync.WaitGroup
	clients := f.both(t, each)
	for n, c := range clients {
		adding.Go(func() {
			for group, at := 0, end; group < groups; group, at = group+1, at.Add(chunk) {
				time.Sleep(time.Until(at.Add(time.Duration(-group) * 500 * time.Microsecond)))
				c.Ask(fmt.Sprintf("logput %s 0 0 2\r\ne%d\r\n", keys[group*each+n/2], n%2), "STORED\r\n")
			}
		})
	}
	adding.Wait()
	for _, c := range clients[:2] {
		for _, key := range keys {
			got := events(t, c, key, 1)
			if slices.Sort(got); !slices.Equal(got, []string{"e0", "e1", "first"}) {
				t.Errorf("%s has %v", key, got)
			}
		}
	}
}
