package plain

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// page is the value that clients make when they miss it.
const page = "the page"

// asks asks for the page, and makes it if it is missing, which takes until ready returns. It returns whether it was missing.
func asks(t *testing.T, c *harness.Client, ready func()) (missing bool) {
	c.Send("get page:1\r\n")
	switch line := c.Line(); line {
	case "END":
		ready()
		c.Ask(fmt.Sprintf("set page:1 0 0 %d\r\n%s\r\n", len(page), page), "STORED\r\n")
		return true
	case fmt.Sprintf("VALUE page:1 0 %d", len(page)):
		if got := c.Line() + c.Line(); got != page+"END" {
			t.Errorf("the page is %q", got)
		}
	default:
		t.Errorf("answered %q", line)
	}
	return false
}

// heldSum returns the sum of a count of several proxies.
func heldSum(proxies []*harness.Memverbs, names ...string) (sum int) {
	for _, p := range proxies {
		s := p.OwnStats()
		for _, name := range names {
			sum += harness.Difference(s[name], "0")
		}
	}
	return sum
}

// Of hundreds of clients that ask for a page at the same time, through two processes, one of each process makes it, in place
// of all.
func TestHeldMissesAreMadeOnce(t *testing.T) {
	t.Parallel()
	const clients = 500
	m := harness.StartMemcached(t, "1.6.38")
	var proxies []*harness.Memverbs
	for range 2 {
		proxies = append(proxies, harness.StartMemverbs(t, "--upstream", m.Addr, "--hold-misses", "page:=1m"))
	}
	var connected []*harness.Client
	for i := range clients {
		connected = append(connected, harness.Dial(t, proxies[i%2].Addr))
	}
	var made atomic.Int64
	var all sync.WaitGroup
	ready := func() {
		harness.Await(t, "all others to wait", func() bool { return heldSum(proxies, "held_waited", "held_makers") == clients })
	}
	for _, c := range connected {
		all.Go(func() {
			if asks(t, c, ready) {
				made.Add(1)
			}
		})
	}
	all.Wait()
	if n := made.Load(); n != 2 {
		t.Errorf("the page was made %d times by %d clients", n, clients)
	}
	for _, p := range proxies {
		s := p.OwnStats()
		if s["held_now"] != "0" || s["held_missed"] != "0" {
			t.Errorf("%s gets wait, %s have waited in vain", s["held_now"], s["held_missed"])
		}
		// Each get counts once: as a hit, unless its client made the page.
		if hits, misses := harness.Difference(s["get_hits"], "0"), harness.Difference(s["get_misses"], "0"); hits+misses != clients/2 || misses != harness.Difference(s["held_makers"], "0") {
			t.Errorf("%d hits and %d misses of %d gets, of %s makers", hits, misses, clients/2, s["held_makers"])
		}
	}
}

// Who waits for a client that makes nothing gets the miss in time, however many wait.
func TestHeldMissesEndInTime(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.38")
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--hold-misses", "page:=200ms")
	maker := harness.Dial(t, p.Addr)
	maker.Ask("get page:1\r\n", "END\r\n")
	var all sync.WaitGroup
	for range 50 {
		c := harness.Dial(t, p.Addr)
		all.Go(func() {
			c.Ask("get page:1\r\n", "END\r\n")
		})
	}
	all.Wait()
	maker.Ask("get page:1\r\n", "END\r\n") // whoever was told a miss is not held
}

// A page that another process stores, or somebody directly, is seen by those who wait.
func TestHeldMissesSeeOthers(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.38")
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--hold-misses", "page:=1m")
	harness.Dial(t, p.Addr).Ask("get page:1\r\n", "END\r\n")
	waits := harness.Dial(t, p.Addr)
	waits.Send("get page:1\r\n")
	harness.Await(t, "a get to wait", func() bool { return p.OwnStats()["held_now"] == "1" })
	harness.Dial(t, m.Addr).Ask("set page:1 0 0 1\r\nx\r\n", "STORED\r\n")
	waits.Ask("", "VALUE page:1 0 1\r\nx\r\nEND\r\n")
}

// A client that sends everything on one connection never waits for itself, and whoever is gone keeps nobody from going on.
func TestHeldMissesOfOneConnection(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.38")
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--hold-misses", "page:=1m")
	maker, waits, last := harness.Dial(t, p.Addr), harness.Dial(t, p.Addr), harness.Dial(t, p.Addr)
	for range 3 {
		maker.Ask("get page:1\r\n", "END\r\n")
	}
	waits.Send("get page:1\r\n")
	harness.Await(t, "a get to wait", func() bool { return p.OwnStats()["held_now"] == "1" })
	waits.Ask("get other\r\n", "END\r\nEND\r\n")
	waits.Ask("get page:1\r\n", "END\r\n")
	last.Send("get page:1\r\n")
	harness.Await(t, "a get to wait", func() bool { return p.OwnStats()["held_now"] == "1" })
	maker.Close()
	last.Ask("", "END\r\n") // the next maker
	for range 3 {
		harness.Dial(t, p.Addr).Close()
	}
	gone := harness.Dial(t, p.Addr)
	gone.Send("get page:1\r\n")
	harness.Await(t, "a get to wait", func() bool { return p.OwnStats()["held_now"] == "1" })
	gone.Close()
	harness.Await(t, "nobody to wait", func() bool { return p.OwnStats()["held_now"] == "0" })
	waits.Ask("set page:1 0 0 1\r\nx\r\nget page:1\r\n", "STORED\r\nVALUE page:1 0 1\r\nx\r\nEND\r\n")
}

// Multi-gets, gets with a CAS, meta gets and packets wait too, with what was sent with them.
func TestHeldMissesInEveryForm(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		for i, form := range []struct{ ask, miss, found string }{
			{"get page:%\r\n", "END\r\n", "VALUE page:% 5 1\r\nx\r\nEND\r\n"},
			{"get a page:% b page:%\r\n", "END\r\n", "VALUE page:% 5 1\r\nx\r\nVALUE page:% 5 1\r\nx\r\nEND\r\n"},
			{"mg page:% k v f\r\n", "EN kpage:%\r\n", "VA 1 kpage:% f5\r\nx\r\n"},
			{"mg page:% v q\r\nmn\r\n", "MN\r\n", "VA 1\r\nx\r\nMN\r\n"},
			{"get a\r\nget page:%\r\nget b\r\nmn\r\n", "END\r\nEND\r\nEND\r\nMN\r\n", "END\r\nVALUE page:% 5 1\r\nx\r\nEND\r\nEND\r\nMN\r\n"},
		} {
			text := func(s string) string { return strings.ReplaceAll(s, "%", fmt.Sprint(i)) }
			ask, miss, found := text(form.ask), text(form.miss), text(form.found)
			maker, waits := harness.Dial(t, s.Addr), harness.Dial(t, s.Addr)
			maker.Ask(ask, miss)
			waits.Send(ask)
			harness.Await(t, strings.TrimSpace(ask)+" to wait", func() bool { return s.Memverbs.OwnStats()["held_now"] == "1" })
			maker.Ask(fmt.Sprintf("set page:%d 5 0 1\r\nx\r\n", i), "STORED\r\n")
			waits.Ask("", found)
		}
	}, "--hold-misses", "page:=1m")
}
