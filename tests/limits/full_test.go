package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// membersOf returns some members of 200 bytes each, all different for
// different numbers.
func membersOf(batch, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%0200d", batch*n+i)
	}
	return strings.Join(list, " ")
}

// A set that is added to and removed from, and never read, is compacted when
// its item is full.
func TestFullSetOfFewMembersGoesOn(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		c.Ask("sadd k first\r\n", "STORED\r\n")
		for batch := range 30 { // 6 MB of tokens through an item of 1 MB
			members := membersOf(batch, 500)
			c.Ask("sadd k "+members+"\r\n", "STORED\r\n")
			c.Ask("srem k "+members+"\r\n", "STORED\r\n")
		}
		c.Ask("sadd k last\r\nsmembers k\r\n", "STORED\r\nVALUE k 0 10\r\nfirst last\r\nEND\r\n")
		if stats := s.Memverbs.Stats(); stats["compactions_won"] == "0" {
			t.Error("nothing was compacted")
		}
	})
}

// A set whose members don't fit into an item any more is spread over several,
// none of them large.
func TestSetOutgrowsAnItem(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		const batches = 30 // 3 MB
		for batch := range batches {
			c.Ask("sadd k "+membersOf(batch, 500)+"\r\n", "STORED\r\n")
		}
		c.Ask("scard k\r\n", fmt.Sprintf("%d\r\n", 500*batches))
		c.Ask("sismember k "+membersOf(0, 1)+" "+membersOf(500*batches, 1)+"\r\n", "1 0\r\n")
		c.Ask("srem k "+membersOf(0, 500)+"\r\n", "STORED\r\n")
		c.Ask("sismember k "+membersOf(0, 1)+" "+membersOf(500, 1)+"\r\n", "0 1\r\n")
		var all []string
		for batch := 1; batch < batches; batch++ {
			all = append(all, membersOf(batch, 500))
		}
		members := strings.Join(all, " ")
		c.Ask("smembers k\r\n", fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(members), members))
		c.Send("mg k s\r\n")
		var size int
		if line := c.Line(); line == "EN" {
			t.Fatal("there is no item")
		} else if _, err := fmt.Sscanf(line, "HD s%d", &size); err != nil || size > 128<<10 {
			t.Errorf("the item under the key: %q, expected no more than 128 kB", line)
		}
		c.InStep()
	})
}

// A chunk of an event log that outgrows its item goes on in further ones.
func TestFullChunkGoesOn(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		var expected strings.Builder
		for n := range 40 { // 4 MB, through items of 1 MB
			event := fmt.Sprintf("%d:%s", n, strings.Repeat("e", 100<<10))
			c.Ask(fmt.Sprintf("logput l %d 0 %d\r\n%s\r\n", n, len(event), event), "STORED\r\n")
			fmt.Fprintf(&expected, "VALUE l %d %d\r\n%s\r\n", n, len(event), event)
		}
		c.Send("logfetch l\r\n")
		var got strings.Builder
		for line := range strings.Lines(c.Until("END")) {
			if words := strings.Fields(line); words[0] == "VALUE" {
				line = strings.Join(words[:4], " ") + "\r\n" // but for the time
			}
			if line != "END\r\n" {
				got.WriteString(line)
			}
		}
		if got.String() != expected.String() {
			t.Errorf("%d bytes of events are not the %d that were put", got.Len(), expected.Len())
		}
		c.InStep()
	}, "--log-chunk", "1h")
}
