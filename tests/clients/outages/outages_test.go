package outages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// refusedKey names no verb.
const refusedKey = "verb/nope/x"

// outage is a time in which a memcached is away.
type outage struct {
	name       string
	begin, end func(m *harness.Memcached, t testing.TB)
	onDown     string // what clients get for its keys meanwhile
}

var outages = []outage{
	{"killed", (*harness.Memcached).Kill, (*harness.Memcached).Restart, "refuse"},
	{"frozen", (*harness.Memcached).Freeze, (*harness.Memcached).Thaw, "refuse"},
	{"frozen", (*harness.Memcached).Freeze, (*harness.Memcached).Thaw, "miss"},
	{"frozen", (*harness.Memcached).Freeze, (*harness.Memcached).Thaw, "spare:spare"},
}

// One of two memcacheds is away, in one way after another, while clients ask for the keys of both, one by one and many at
// once, a refused key among them. Then it comes back. No client is told a wrong value at any time.
func TestClientsInOutages(t *testing.T) {
	t.Parallel()
	p := startProxy(t)
	var sessions []*session
	for i, d := range drivers {
		s := &session{driver: d, t: t, ask: d.start(t, p.Addr), expected: map[string]expectation{}}
		for n := range 12 {
			s.keys = append(s.keys, fmt.Sprintf("c%d-%d", i, n))
		}
		sessions = append(sessions, s)
	}
	for n, o := range outages {
		p.run(o, n, sessions)
		if t.Failed() {
			t.Fatalf("while a memcached was %s, with on-down: %s", o.name, o.onDown)
		}
	}
}

// proxy is a memverbs before two memcacheds and, in a pool of its own, a spare one.
type proxy struct {
	*harness.Memverbs
	t      *testing.T
	file   string
	stores []*harness.Memcached
	spare  string // where the spare pool listens, as one must that not every setting of on-down uses
	probe  *harness.Client
	onDown string
}

func startProxy(t *testing.T) *proxy {
	p := &proxy{t: t, file: filepath.Join(t.TempDir(), "memverbs.yml"), spare: harness.FreeAddr(t), onDown: outages[0].onDown}
	for range 3 {
		p.stores = append(p.stores, harness.StartMemcached(t, harness.Newest))
	}
	addr := harness.FreeAddr(t)
	p.write(addr)
	p.Memverbs = harness.StartMemverbsWith(t, p.file, addr)
	p.probe = harness.Dial(t, addr)
	return p
}

func (p *proxy) write(addr string) {
	text := fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [%q, %q]\n    verb-keys: verb/\n    on-down: %s\n  spare:\n    listen: [%q]\n    servers: [%q]\n",
		addr, p.stores[0].Addr, p.stores[1].Addr, p.onDown, p.spare, p.stores[2].Addr)
	if err := os.WriteFile(p.file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// set sets what clients get for the keys of a server that is down.
func (p *proxy) set(onDown string) {
	if p.onDown == onDown {
		return
	}
	p.onDown = onDown
	p.write(p.Addr)
	reloads := strings.Count(p.Log(), "msg=reloaded")
	if err := syscall.Kill(p.Pid(), syscall.SIGHUP); err != nil {
		p.t.Fatal(err)
	}
	harness.Await(p.t, "the reload", func() bool { return strings.Count(p.Log(), "msg=reloaded") > reloads })
}

// run has the sessions go through the n-th outage.
func (p *proxy) run(o outage, n int, sessions []*session) {
	p.set(o.onDown)
	for _, s := range sessions {
		s.begin(fmt.Sprintf("verb/lpop/%s-list%d", s.keys[0], n))
		p.probe.Ask("rpush "+s.list()+" a b\r\n", "STORED\r\n")
	}
	each(sessions, func(s *session) {
		s.store()
		s.read(s.keys)
	})
	lives := harness.Dial(p.t, p.stores[1].Addr)
	o.begin(p.stores[0], p.t)
	for _, s := range sessions {
		s.lose(lives)
	}
	each(sessions, func(s *session) { s.read(s.keys) }) // while that is being noticed
	p.await(1)
	each(sessions, func(s *session) {
		s.readAmong(4, refusedKey)
		s.readAmong(0, refusedKey, s.pop)
		s.change(strings.HasPrefix(o.onDown, "spare:"))
		s.readAmong(8, s.pop, refusedKey)
	})
	o.end(p.stores[0], p.t)
	p.await(2)
	each(sessions, func(s *session) { s.read(s.keys) })
	for _, s := range sessions {
		p.probe.Send("llen " + s.list() + "\r\n")
		if left := p.probe.Line(); left != fmt.Sprint(2-len(s.got)) && left != "NOT_FOUND" { // as it died with its memcached
			p.t.Errorf("%s: of 2 elements of a list %q were told, and %s are left", s.name, s.got, left)
		}
	}
}

// await waits until so many of the two memcacheds are up.
func (p *proxy) await(up int) {
	p.t.Helper()
	harness.Await(p.t, "upstreams to be up", func() bool {
		p.probe.Send("stats upstreams\r\n")
		return strings.Count(p.probe.Until("END"), "_state up\r\n") == up
	})
}

// each has all sessions do something at the same time, and waits for them.
func each(sessions []*session, do func(*session)) {
	var all sync.WaitGroup
	for _, s := range sessions {
		all.Go(func() { do(s) })
	}
	all.Wait()
}
