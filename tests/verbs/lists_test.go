package verbs

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Many clients of two proxies push to a queue and pop from it: each element is popped once,
// and those of each producer in the order in which it has pushed them. The queue takes no
// more room than its elements, however many pass through it.
func TestQueueOfManyClients(t *testing.T) {
	const producers, consumers, each = 16, 16, 1000
	store := harness.StartMemcached(t, harness.Newest)
	proxies := []*harness.Memverbs{
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "2"),
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "1"),
	}
	var pushed, popped atomic.Int64
	var all sync.WaitGroup
	for p := range producers {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			for n := range each {
				harness.Await(t, "the queue to become shorter", func() bool { return pushed.Load()-popped.Load() < 5000 })
				c.Ask(fmt.Sprintf("rpush queue %d-%d\r\n", p, n), "STORED\r\n")
				pushed.Add(1)
			}
		})
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	for p := range consumers {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			last := map[string]int{}
			for popped.Load() < producers*each {
				for _, value := range pop(t, c, "lpop queue 2") {
					producer, number, _ := strings.Cut(value, "-")
					n := 1
					if _, err := fmt.Sscan(number, &n); err != nil || n+1 <= last[producer] {
						t.Errorf("%q came after number %d", value, last[producer]-1)
					}
					last[producer] = n + 1
					mu.Lock()
					if seen[value] {
						t.Errorf("%q was popped twice", value)
					}
					seen[value] = true
					mu.Unlock()
					popped.Add(1)
				}
			}
		})
	}
	all.Wait()
	if len(seen) != producers*each {
		t.Errorf("%d elements were popped, of %d", len(seen), producers*each)
	}
	c := harness.Dial(t, proxies[0].Addr)
	c.Ask("llen queue\r\n", "0\r\n")
	c.Send("inspect queue\r\n")
	size := 0
	for line := c.Line(); line != "END"; line = c.Line() {
		_, _ = fmt.Sscanf(line, "STAT bytes %d", &size)
	}
	if size > 256<<10 {
		t.Errorf("the empty queue takes %d bytes", size)
	}
}

// pop sends a request for elements and returns them.
func pop(t *testing.T, c *harness.Client, request string) []string {
	c.Send(request + "\r\n")
	line := c.Line()
	switch {
	case line == "END": // there is no list yet
		return nil
	case !strings.HasPrefix(line, "VALUE "):
		t.Errorf("%s: answered %q", request, line)
		return nil
	}
	values := strings.Fields(c.Line())
	c.Expect("END\r\n")
	return values
}
