package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// Sixteen clients of two proxies change a counter, which they do by reading and then
// storing it: none is lost if no two of them do so at once.
func TestOnlyTheHolderOfALockIsAtWork(t *testing.T) {
	t.Parallel()
	const clients, times = 16, 12
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		addrs := []string{s.Addr, s.Addr}
		if len(s.Memcacheds) > 0 {
			addrs[1] = harness.StartMemverbs(t, s.Upstreams()...).Addr
		}
		harness.Dial(t, s.Addr).Ask("set counter 0 0 1\r\n0\r\n", "STORED\r\n")
		var all sync.WaitGroup
		for i := range clients {
			c, token := harness.Dial(t, addrs[i%2]), fmt.Sprintf("client-%d", i)
			all.Go(func() {
				for range times {
					countUnderLock(t, c, token)
				}
			})
		}
		all.Wait()
		want := strconv.Itoa(clients * times)
		harness.Dial(t, s.Addr).Ask("get counter\r\n", fmt.Sprintf("VALUE counter 0 %d\r\n%s\r\nEND\r\n", len(want), want))
	})
}

func countUnderLock(t *testing.T, c *harness.Client, token string) {
	harness.Await(t, "the lock", func() bool { return answer(c, "lock job "+token+" 600") == "STORED" })
	c.Send("get counter\r\n")
	c.Line()
	n, err := strconv.Atoi(c.Line())
	c.Expect("END\r\n")
	if err != nil || answer(c, "relock job "+token+" 600") != "STORED" {
		t.Errorf("%s has lost the lock, or the counter: %v", token, err)
	}
	next := strconv.Itoa(n + 1)
	c.Ask(fmt.Sprintf("set counter 0 0 %d\r\n%s\r\n", len(next), next), "STORED\r\n")
	c.Ask("unlock job "+token+"\r\n", "DELETED\r\n")
}

// answer sends a line and returns the line that comes back.
func answer(c *harness.Client, line string) string {
	c.Send(line + "\r\n")
	return c.Line()
}

// A lock that nobody releases lasts for its time, and no longer than it takes. Then its
// holder can't touch the lock of the next.
func TestLockExpires(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		begun := map[string]time.Time{}
		for i := range 20 {
			name := fmt.Sprintf("lock%d", i)
			begun[name] = time.Now()
			c.Ask("lock "+name+" a 1\r\n", "STORED\r\n")
			harness.Await(t, "another part of a second", func() bool { return time.Since(begun[name]) > 50*time.Millisecond })
		}
		harness.Await(t, "all locks to expire", func() bool {
			for name, since := range begun {
				if answer(c, "lock "+name+" b 600") == "NOT_STORED" {
					continue
				}
				if held := time.Since(since); held < time.Second {
					t.Errorf("%s was held for %v only", name, held)
				}
				delete(begun, name)
				c.Ask("unlock "+name+" a\r\nrelock "+name+" a 5\r\nlock "+name+" a 5\r\n", "EXISTS\r\nEXISTS\r\nNOT_STORED\r\n")
				c.Ask("unlock "+name+" b\r\n", "DELETED\r\n")
			}
			return len(begun) == 0
		})
	})
}

// Where the upstream keeps no CAS, a lock can only end with its time.
func TestLockWithoutCAS(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		m := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, version, "-C").Addr)
		c := harness.Dial(t, m.Addr)
		c.Ask("lock job a 600\r\nlock job b 600\r\nunlock job b\r\n", "STORED\r\nNOT_STORED\r\nEXISTS\r\n")
		for _, request := range []string{"unlock job a", "relock job a 600", "lock job a 600"} {
			if got := answer(c, request); !strings.HasPrefix(got, "SERVER_ERROR job can't be released or held on safely") {
				t.Errorf("%s: %s: answered %q", version, request, got)
			}
		}
		c.Ask("lock job b 600\r\n", "NOT_STORED\r\n")
	}
}

// An item that is stored for at most the temporary_ttl of memcached is never evicted, and a
// lock is stored for two seconds more than was asked for.
func TestTemporaryTTLKeepsLocks(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		m := harness.StartMemcached(t, version, "-m", "8", "-o", "temporary_ttl=600")
		c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", m.Addr).Addr)
		c.Ask("lock short a 598\r\nlock long a 599\r\nlock once-short a 598\r\nlock once-long a 599\r\n", strings.Repeat("STORED\r\n", 4))
		c.Ask("relock once-long a 598\r\nrelock once-short a 599\r\n", strings.Repeat("STORED\r\n", 2))
		filler := harness.Dial(t, m.Addr)
		n := 0
		harness.Await(t, "everything else to be evicted", func() bool {
			var sets strings.Builder
			for range 10_000 {
				n++
				fmt.Fprintf(&sets, "set %d 0 0 4 noreply\r\ndata\r\n", n)
			}
			filler.Send(sets.String())
			filler.InStep()
			evictions, _ := strconv.Atoi(m.Stats()["evictions"])
			return evictions > n/2
		})
		c.Ask("unlock short a\r\nunlock long a\r\nunlock once-long a\r\nunlock once-short a\r\n", "DELETED\r\nNOT_FOUND\r\nDELETED\r\nNOT_FOUND\r\n")
		t.Logf("%s: after %d others", version, n)
	}
}

// A memcached that has hung is late with its clock when it goes on, and yet a lock that is taken then
// is held for as long as was asked for.
func TestLockOutlivesAFrozenClock(t *testing.T) {
	t.Parallel()
	for n := range 2 { // whether its clock or the requests come first is a matter of luck
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			lockWhileFrozen(t)
		})
	}
}

// lockWhileFrozen takes locks from a store that has been frozen for a while, and expects that nobody
// else gets them before their time is over.
func lockWhileFrozen(t *testing.T) {
	const locks, seconds, latency = 40, 1, 200 * time.Millisecond
	store := harness.StartMemcached(t, "1.6.38")
	// Only the first answer comes from the late clock. It catches up before the next request.
	link := harness.StartLink(t, store.Addr)
	link.Add(t, harness.Toxic{Type: "latency", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"latency": latency.Milliseconds()}})
	m := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", "20s")
	c := harness.Dial(t, m.Addr)
	c.Ask("unlock job0 first\r\n", "NOT_FOUND\r\n") // connected
	frozen := time.Now()
	store.Freeze(t)
	harness.Await(t, "the store's clock to be late", func() bool { return time.Since(frozen) > 3500*time.Millisecond })
	began := time.Now()
	var waiting []*harness.Client
	for n := range locks {
		p := harness.Dial(t, m.Addr)
		p.Send(fmt.Sprintf("lock job%d first %d\r\n", n, seconds))
		waiting = append(waiting, p)
	}
	harness.Await(t, "the requests to arrive", func() bool { return m.OwnStats()["verb_lock"] == strconv.Itoa(locks) })
	sent := time.Now()
	harness.Await(t, "the link to hand them on", func() bool { return time.Since(sent) > 50*time.Millisecond })
	store.Thaw(t)
	for _, p := range waiting {
		p.Expect("STORED\r\n")
	}
	for free := 0; free < locks; {
		free = 0
		for n := range locks {
			c.Send(fmt.Sprintf("lock job%d second 100\r\n", n))
		}
		for range locks {
			if c.Line() == "STORED" {
				free++
			}
		}
		if said := time.Now().Add(-latency); free > 0 && said.Before(began.Add(seconds*time.Second)) {
			t.Fatalf("%d of %d locks were free after %v", free, locks, said.Sub(began))
		}
	}
}
