package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Many clients of two proxies count, while others add without an answer: every sum is told
// once, and the last is that of all.
func TestSumsOfManyClients(t *testing.T) {
	const counting, adding, each = 32, 4, 500
	store := harness.StartMemcached(t, harness.Newest)
	proxies := []*harness.Memverbs{
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "2"),
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "1"),
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]bool{}
	for p := range counting {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			last := 0
			for range each {
				c.Send("zincrby points 1 hot\r\n")
				line := c.Line()
				n, err := strconv.Atoi(line)
				if err != nil || n <= last {
					t.Errorf("%q came after %d", line, last)
					return
				}
				last = n
				mu.Lock()
				if seen[line] {
					t.Errorf("%s was told twice", line)
				}
				seen[line] = true
				mu.Unlock()
			}
		})
	}
	for p := range adding {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			for n := range each {
				c.Ask(fmt.Sprintf("zinc points cold%d\r\n", n%7), "STORED\r\n")
			}
		})
	}
	all.Wait()
	for _, proxy := range proxies {
		c := harness.Dial(t, proxy.Addr)
		c.Ask("zget points hot\r\n", fmt.Sprintf("%d\r\n", counting*each))
		c.Ask("zrevrange points 0 1\r\n", "VALUE points 0 3\r\nhot\r\nEND\r\n")
	}
	if !seen[fmt.Sprint(counting*each)] || len(seen) != counting*each {
		t.Errorf("%d sums were told, of %d", len(seen), counting*each)
	}
}

// A ranking of many members is paged through in order, and an increment that expires is undone
// although nothing else changes.
func TestLargeRankingIsPagedThrough(t *testing.T) {
	const members, page = 200_000, 5_000
	store := harness.StartMemcached(t, harness.Newest)
	proxy := harness.StartPlainMemverbs(t, "--upstream", store.Addr)
	c := harness.Dial(t, proxy.Addr)
	for from := 0; from < members; from += 1000 {
		var line strings.Builder
		for i := from; i < from+1000; i++ {
			fmt.Fprintf(&line, " %d m%06d", i%1000, i)
		}
		c.Ask("zadd large"+line.String()+"\r\n", "STORED\r\n")
	}
	last, seen := "", 0
	for from := 0; from < members; from += page {
		c.Send(fmt.Sprintf("zrange large %d %d withscores\r\n", from, page))
		c.Line()
		words := strings.Fields(c.Line())
		c.Expect("END\r\n")
		for i := 0; i < len(words); i += 2 {
			this := fmt.Sprintf("%6s %s", words[i+1], words[i])
			if this <= last {
				t.Fatalf("%q comes after %q", this, last)
			}
			last = this
			seen++
		}
	}
	if seen != members {
		t.Errorf("%d members of %d", seen, members)
	}
	c.Ask("zrank large m000001\r\n", "200\r\n")
	c.Ask("zincrbyp large 5000 m000000 1\r\n", "5000\r\n")
	harness.Await(t, "the increment to be undone", func() bool {
		c.Send("zrevrange large 0 1\r\n")
		c.Line()
		best := c.Line()
		c.Expect("END\r\n")
		return best == "m199999"
	})
	c.Ask("zget large m000000\r\n", "0\r\n")
}
