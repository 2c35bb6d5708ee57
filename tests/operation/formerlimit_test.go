package operation

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// grant is when something that a limit has allowed was asked and answered.
type grant struct{ asked, answered time.Time }

// ask asks a limit for one.
func (g *grants) ask(t *testing.T, c *harness.Client, key string, count, seconds int) (allowed bool) {
	t.Helper()
	asked := time.Now()
	c.Send(fmt.Sprintf("limit %s %d %d\r\n", key, count, seconds))
	line, err := c.ReadLine()
	if err != nil || !strings.HasPrefix(line, "0 ") && !strings.HasPrefix(line, "1 ") {
		t.Errorf("limit %s was answered by %q (%v)", key, line, err)
		return false
	}
	if allowed = strings.HasPrefix(line, "1 "); allowed {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.of[key] = append(g.of[key], grant{asked, time.Now()})
	}
	return allowed
}

// grants are what limits have allowed, by their keys.
type grants struct {
	mu sync.Mutex
	of map[string][]grant
}

// within returns the most that a limit has allowed of what was asked and answered within some time.
func (g *grants) within(key string, window time.Duration) (most int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, first := range g.of[key] {
		n := 0
		for _, one := range g.of[key] {
			if !one.asked.Before(first.asked) && !one.answered.After(first.asked.Add(window)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// A limit on a key that has moved knows what was allowed before, whichever process is asked: it never allows more in a window, also when
// what it knows of the former server gets old.
func TestLimitsMove(t *testing.T) {
	t.Parallel()
	const count, seconds, long = 5, 4, 3600
	f := startFormerly(t)
	keys, longKeys := f.keys(t, "limit", 20), f.keys(t, "long", 20)
	g := grants{of: map[string][]grant{}}
	c := harness.Dial(t, f.one.Addr)
	for _, key := range longKeys {
		for range 3 {
			g.ask(t, c, key, count, long)
		}
	}
	for _, key := range keys {
		for range count {
			g.ask(t, c, key, count, seconds)
		}
	}
	f.change(t)
	var asking sync.WaitGroup
	for _, c := range f.both(t, 4) {
		asking.Go(func() {
			for range 3 {
				for _, key := range longKeys {
					g.ask(t, c, key, count, long)
				}
			}
			for _, key := range keys {
				harness.Await(t, "the limit to allow one", func() bool { return g.ask(t, c, key, count, seconds) })
			}
		})
	}
	asking.Wait()
	for _, key := range keys {
		if n := g.within(key, seconds*time.Second); n > count {
			t.Errorf("%s has allowed %d in %d seconds", key, n, seconds)
		}
	}
	for _, key := range longKeys {
		if n := g.within(key, long*time.Second); n != count {
			t.Errorf("%s has allowed %d in all", key, n)
		}
	}
}

// While the former server of a limit is down, the limit is refused, and counts nothing at the new one. An event log can be added to, but
// not be read.
func TestFormerServerThatIsDown(t *testing.T) {
	t.Parallel()
	f := startFormerly(t)
	limit, log := f.keys(t, "limit", 1)[0], f.keys(t, "log", 1)[0]
	c := harness.Dial(t, f.one.Addr)
	c.Ask("limit "+limit+" 3 3600\r\nlogput "+log+" 0 0 3\r\none\r\n", "1 2 0\r\nSTORED\r\n")
	f.change(t)
	f.stores[0].Kill(t)
	down := "SERVER_ERROR upstream " + f.stores[0].Addr + " is down"
	for _, request := range []string{"limit " + limit + " 3 3600", "limit " + limit + " 3 3600 0", "inspect " + limit + " 3 3600", "logfetch " + log + " 1"} {
		harness.Await(t, request+" to be refused", func() bool {
			c.Send(request + "\r\n")
			return strings.HasPrefix(c.Line(), "SERVER_ERROR")
		})
		for range 4 {
			c.Send(request + "\r\n")
			if got := c.Line(); !strings.HasPrefix(got, down) {
				t.Errorf("%s was answered by %q", request, got)
			}
		}
	}
	c.Ask("logput "+log+" 0 0 3\r\ntwo\r\n", "STORED\r\n")
	f.stores[0].Restart(t)
	harness.Await(t, "the former server to be back", func() bool {
		c.Send("limit " + limit + " 3 3600 0\r\n")
		return c.Line() == "1 3 0"
	})
	if got := events(t, c, log, 1); len(got) != 1 || got[0] != "two" {
		t.Errorf("the log has %v", got)
	}
}
