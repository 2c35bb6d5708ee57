//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// The names of the contestants in cells of verbs, beside memverbs.
const (
	appends     = "append"    // memverbs, asked for the plain command instead of the verb
	smembers    = "smembers"  // memverbs, asked for all members instead of about them
	smaller     = "of 10 000" // memverbs, asked about a smaller set
	muchSmaller = "of 1000"   // memverbs, asked about a much smaller ranking
	everlasting = "for ever"  // memverbs, with members that do not expire
	article     = "article"   // clients that keep sets without a proxy, as the article does
	simple      = "clients"   // clients that keep other structures without a proxy, in the usual way
	valkey      = "valkey"
	withoutNear = "without near" // memverbs, which asks its memcacheds for everything
	withoutIt   = "without it"   // memverbs, without the setting that a cell is about
	incrs       = "incr"         // memverbs, asked to count without a limit
	valkeyLog   = "valkey, log"  // valkey, with a sorted set of the times
	valkeyCount = "valkey, incr" // valkey, with a counter that expires
)

// verbCell describes a cell of verbs.
type verbCell struct {
	name, what string
	proxies    int      // how many memverbs there are in front of the memcacheds, 1 unless set
	flags      []string // of these, besides those that all have
	conns      int      // in front of all of them
	pipeline   int
	acts       []act // memverbs' comes first

	// rates are the operations of the memcacheds per second, of each contestant that has them, turn by turn; nil if these
	// are not counted.
	rates map[string][]float64
}

// act is what one contestant does in a cell.
type act struct {
	name      string
	ready     preparation        // of the contestant before each turn
	meanwhile func() load.Source // if not nil, the requests for the last of the servers, which are not counted

	job  *clients.Job            // if not nil, clients do this instead
	fill func(load.Target) error // fills the memcacheds for them, through memverbs
}

// preparation fills a target and returns the requests for it.
type preparation func(load.Target) (load.Source, error)

// after prepares for a source that does not depend on the filling. The source
// is made when it is first needed.
func after(fill func(load.Target) error, source func() load.Source) preparation {
	source = sync.OnceValue(source)
	return func(t load.Target) (load.Source, error) { return source(), fill(t) }
}

// work is the work of clients that keep sets as the article does.
func work(verb clients.Verb, sets verbload.Sets) act {
	return act{name: article, job: &clients.Job{Verb: verb, Sets: sets}, fill: sets.FillItems}
}

// cell returns the cell, in which memverbs is compared with all others.
func (v verbCell) cell(o *options, bars ...bar) *cell {
	c := &cell{name: v.name, what: v.what, subject: memverbs, bars: bars, brief: true}
	for _, a := range v.acts {
		if c.names = append(c.names, a.name); a.name != memverbs {
			c.rivals = append(c.rivals, a.name)
		}
	}
	shape := load.Shape{Conns: v.conns, Pipeline: v.pipeline, Threads: o.threads}
	c.set = func(s *stage) ([]*contestant, error) { return v.set(s, shape) }
	return c
}

// set sets the stage. memverbs places keys as gomemcache does, so that it can
// fill the memcacheds for the clients too.
func (v verbCell) set(s *stage, shape load.Shape) (contestants []*contestant, err error) {
	stores, err := s.memcacheds(2, "tcp")
	if err != nil {
		return nil, err
	}
	proxies, err := s.likeGomemcache(s.options.memverbs, stores, max(1, v.proxies), v.flags...)
	if err != nil {
		return nil, err
	}
	for _, a := range v.acts {
		var c *contestant
		switch {
		case a.job != nil:
			c, err = s.clientsContestant(a, shape, proxies[0])
		default:
			servers := proxies
			if start := s.peer(a.name, stores); start != nil {
				servers, err = start()
			}
			if err == nil {
				c = asked(servers, shape, a)
			}
		}
		if err != nil {
			return nil, err
		}
		if v.rates != nil && len(c.stores) > 0 {
			v.counts(a.name, c, stores)
		}
		contestants = append(contestants, c)
	}
	return contestants, nil
}

// counts has the operations of the memcacheds counted in the turns of a contestant.
func (v verbCell) counts(name string, c *contestant, stores []*server) {
	open := c.open
	c.open = func() (driver, error) {
		d, err := open()
		if err != nil {
			return nil, err
		}
		return &watched{d, stores, func(operations int, _ load.Count, length time.Duration) {
			v.rates[name] = append(v.rates[name], float64(operations)/length.Seconds())
		}}, nil
	}
}

// likeGomemcache starts so many memverbs of a program, which place keys as gomemcache does, in front of memcacheds.
func (s *stage) likeGomemcache(program string, stores []*server, n int, flags ...string) (proxies []*server, err error) {
	flags = append([]string{"--layout", "gomemcache"}, flags...)
	for _, store := range stores {
		flags = append(flags, "--upstream", store.Addr)
	}
	for range n {
		proxy, err := s.startMemverbs(program, stores, "tcp", flags...)
		if err != nil {
			return nil, err
		}
		proxies = append(proxies, proxy)
	}
	return proxies, nil
}

// peer returns the function that starts the server of that name, perhaps in front of stores; nil if it is
// memverbs.
func (s *stage) peer(name string, stores []*server) func() ([]*server, error) {
	one := func(p *server, err error) ([]*server, error) { return []*server{p}, err }
	switch name {
	case oldMemverbs:
		return func() ([]*server, error) { return s.likeGomemcache(s.options.old, stores, 1) }
	case withoutNear, withoutIt:
		return func() ([]*server, error) { return s.likeGomemcache(s.options.memverbs, stores, 1) }
	case valkey, valkeyLog, valkeyCount:
		return func() ([]*server, error) { return one(s.valkey()) }
	case ranked:
		return func() ([]*server, error) { return one(s.ranked()) }
	case memcached:
		return func() ([]*server, error) { return one(stores[0], nil) }
	case nutcracker:
		return func() ([]*server, error) { return one(s.nutcracker(stores, "tcp")) }
	case memcachedProxy:
		return func() ([]*server, error) { return one(s.memcachedProxy(stores)) }
	}
	return nil
}

// asked returns servers as a contestant that is filled before each turn, through the
// first of them.
func asked(servers []*server, shape load.Shape, a act) *contestant {
	c := contestantOf(servers...)
	c.open = func() (driver, error) {
		source, err := a.ready(servers[0].Target)
		if err != nil {
			return nil, err
		}
		if a.meanwhile != nil {
			return openBeside(servers, shape, source, a.meanwhile())
		}
		return openSeveral(servers, shape, source)
	}
	return c
}

// clientsContestant starts the process of the clients. The memcacheds are filled through
// the proxy, which is idle then.
func (s *stage) clientsContestant(a act, shape load.Shape, proxy *server) (*contestant, error) {
	job := *a.job
	job.Conns = shape.Conns
	for _, store := range proxy.stores {
		job.Addrs = append(job.Addrs, store.Addr)
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	at := load.Target{Network: "unix", Addr: filepath.Join(s.folder, "clients.sock")}
	os.Remove(at.Addr) // of the cell before
	process, err := s.startAsking("", "", a.name, at, program, clientsCommand, at.Addr)
	if err != nil {
		return nil, err
	}
	process.stores = proxy.stores
	c := contestantOf(process)
	c.open = func() (driver, error) {
		if err := a.fill(proxy.Target); err != nil {
			return nil, err
		}
		return clients.Open(at.Addr, job)
	}
	return c, nil
}

// clientsCommand is the argument that makes this program the process of the clients.
const clientsCommand = "clients"

// valkey starts Valkey, which saves nothing.
func (s *stage) valkey() (*server, error) {
	at, err := s.target("tcp")
	if err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(at.Addr, ":")
	return s.startAsking("PING\r\n", "+PONG\r\n", valkey, at, s.options.valkey,
		"--bind", host, "--port", port, "--save", "", "--appendonly", "no", "--dir", s.folder)
}
