package statistics

import (
	"fmt"
	"strings"
	"testing"
)

// Counters of a server that is away, or was restarted, stay in the sums; gauges are of what is there.
func TestKnown(t *testing.T) {
	t.Parallel()
	k := Known{}
	of := Asked{Server: "a"}
	hear := func(evictions, items int, want string) {
		t.Helper()
		heard := k.Heard(of, fmt.Appendf(nil, "STAT evictions %d\r\nSTAT curr_items %d\r\nSTAT version 1.6\r\nEND\r\n", evictions, items))
		if string(heard) != want {
			t.Errorf("%q, expected %q", heard, want)
		}
	}
	hear(5, 7, "STAT evictions 5\r\nSTAT curr_items 7\r\nSTAT version 1.6\r\nEND\r\n")
	if last := string(k.Last(of)); last != "STAT evictions 5\r\nEND\r\n" {
		t.Errorf("while it is away: %q", last)
	}
	hear(2, 1, "STAT evictions 7\r\nSTAT curr_items 1\r\nSTAT version 1.6\r\nEND\r\n")
	hear(4, 1, "STAT evictions 9\r\nSTAT curr_items 1\r\nSTAT version 1.6\r\nEND\r\n")
	if last := string(k.Last(Asked{"a", "items"})); last != "END\r\n" {
		t.Errorf("what was never asked for: %q", last)
	}
	k.Reset()
	hear(4, 1, "STAT evictions 4\r\nSTAT curr_items 1\r\nSTAT version 1.6\r\nEND\r\n")
	k.Keep(map[string]bool{"b": true})
	if len(k) > 0 {
		t.Error("a server that is gone is remembered")
	}
	items := Asked{"a", "items"}
	k.Heard(items, []byte("STAT items:1:number 3\r\nSTAT items:1:evicted 2\r\nEND\r\n"))
	if last := string(k.Last(items)); last != "STAT items:1:evicted 2\r\nEND\r\n" {
		t.Errorf("of classes: %q", last)
	}
	var many strings.Builder
	for i := range 2 * mostCounters {
		fmt.Fprintf(&many, "STAT items:%d:evicted 1\r\n", i)
	}
	if k.Heard(items, []byte(many.String())); len(k[items]) > mostCounters {
		t.Errorf("%d counters are remembered", len(k[items]))
	}
}
