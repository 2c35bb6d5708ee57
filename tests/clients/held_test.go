package clients

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// heldClients are scripts in which ten clients ask for one page, which takes those who miss it 300 ms to make.
var heldClients = []client{
	{script: "held-memjs.js", interpreter: "node"},
	{script: "held-pymemcache.py", interpreter: "/usr/bin/python3"},
	{script: "held-pymemcache.py", interpreter: "/usr/bin/python3", tls: true},
	{script: "held-dalli.rb", interpreter: "/usr/bin/ruby"},
	{script: "held-dalli.rb", interpreter: "/usr/bin/ruby", tls: true},
}

// Of twenty clients that ask for a page through two processes, one of each process makes it at most, and all others have it.
func TestClientsMakeAPageOnce(t *testing.T) {
	t.Parallel()
	for _, c := range heldClients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			var runs []*run
			for _, p := range c.startHolding(t) {
				runs = append(runs, c.start(t, p.Addr))
			}
			all := 0
			for i, r := range runs {
				r.untilOK(neverFrozen)
				var made int
				if _, err := fmt.Sscanf(r.said[1], "%d made", &made); err != nil || made > 1 {
					t.Errorf("process %d: %q (%v)", i, r.said[1], err)
				}
				all += made
			}
			if all == 0 {
				t.Error("nobody has made the page")
			}
		})
	}
}

// startHolding starts two proxies in front of one memcached, as the client needs them, and has it trust them. Gets wait
// there for longer than any machine takes to make a page.
func (c *client) startHolding(t *testing.T) (proxies []*harness.Memverbs) {
	flags := []string{"--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--hold-misses", "page:=1m"}
	if c.tls {
		a := securetest.NewAuthority(t)
		p := a.Issue()
		flags = append(flags, "--tls-cert", p.Cert, "--tls-key", p.Key)
		c.secrets = append(c.secrets, "MEMCACHED_CA="+a.File)
	}
	for range 2 {
		proxies = append(proxies, harness.StartMemverbs(t, flags...))
	}
	return proxies
}

func TestGomemcacheMakesAPageOnce(t *testing.T) {
	t.Parallel()
	const page = "the page"
	var asking sync.WaitGroup
	var made [2]atomic.Int64
	proxies := (&client{}).startHolding(t)
	for i := range 20 {
		made := &made[i%2]
		client := memcache.New(proxies[i%2].Addr)
		client.Timeout = harness.Patience
		asking.Go(func() {
			defer client.Close()
			switch item, err := client.Get("page:1"); {
			case errors.Is(err, memcache.ErrCacheMiss):
				made.Add(1)
				time.Sleep(300 * time.Millisecond) // so long it takes to make
				if err := client.Set(&memcache.Item{Key: "page:1", Value: []byte(page)}); err != nil {
					t.Error(err)
				}
			case err != nil || string(item.Value) != page:
				t.Errorf("the page is %v, %v", item, err)
			}
		})
	}
	asking.Wait()
	if first, second := made[0].Load(), made[1].Load(); first > 1 || second > 1 || first+second == 0 {
		t.Errorf("the page was made %d and %d times", first, second)
	}
}
