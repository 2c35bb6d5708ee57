package operation

import (
	"bytes"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// writeSpaced writes a configuration file, and returns its path. Its listener strips session: from the keys of a pool in which
// user: and other: are namespaces. rest is the end of the file.
func writeSpaced(t *testing.T, addr, rest string, servers ...string) string {
	t.Helper()
	main := harness.StartMemcached(t, harness.Newest)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	writeText(t, file, fmt.Sprintf(`loops: 2
pools:
  main: {servers: ["%[1]s"], timeout: 20s}
  sessions: {servers: ["%[2]s"], timeout: 20s, namespaces: ["user:", "other:"], structure-item-size: 2KB}
listeners:
  - listen: ["%[3]s"]
    routes: {"session:": {pool: sessions, strip: true}, "": main}
%[4]s`, main.Addr, strings.Join(servers, `", "`), addr, rest))
	return file
}

// Warnings, and the lines of slow requests, name keys as clients do: with the prefix that a route strips, and without the generation
// of their namespace.
func TestWarningsNameKeysOfClients(t *testing.T) {
	t.Parallel()
	store, addr := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
	m := harness.StartMemverbsWith(t, writeSpaced(t, addr, "slow: 1us\n", store.Addr), addr)
	c := harness.Dial(t, addr)
	c.Ask("sadd session:user:k a\r\nrpush session:user:k b\r\nscompact session:user:k\r\n", "STORED\r\nSTORED\r\nOK\r\n")
	c.Ask("rpush session:user:l "+strings.Repeat("word ", 1000)+"\r\n", "STORED\r\n")
	direct := harness.Dial(t, store.Addr)
	direct.Send("lru_crawler metadump all\r\n")
	for line := range strings.Lines(direct.Until("END")) {
		text, _, _ := strings.Cut(strings.TrimPrefix(line, "key="), " ")
		if key, err := url.QueryUnescape(text); err == nil && strings.Contains(key, "l:") { // a part of the list
			direct.Ask("delete "+key+"\r\n", "DELETED\r\n")
		}
	}
	c.Ask("lrange session:user:l 0 0\r\n", "END\r\n")
	for _, line := range []string{
		`msg="slow request" pool=sessions command=sadd key=session:user:k `,
		`give each kind keys of its own" key=session:user:k kind=set tokens=1 `,
		`its upstream has evicted a part of it" key=session:user:l `,
	} {
		harness.Await(t, line, func() bool { return strings.Contains(m.Log(), line) })
	}
	if strings.Contains(m.Log(), "key=user:") {
		t.Error("a key is named as it is stored")
	}
}

// A process is replaced by another time and again, while clients use verbs on keys in a namespace, behind a prefix that is
// stripped, and others flush another namespace. What was not answered was not carried out.
func TestTakeoversOfNamespaces(t *testing.T) {
	t.Parallel()
	one, two, addr := harness.StartMemcached(t, harness.Versions[1]), harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
	s := harness.StartSuccession(t, "--config", writeSpaced(t, addr, "", one.Addr, two.Addr))
	crowd := &crowd{addr: addr}
	harness.Dial(t, addr).Ask("set session:user:plain 0 0 1\r\n0\r\nhset session:user:table row 0 0 1\r\n0\r\n", "STORED\r\nSTORED\r\n")
	counters := []*counter{
		{request: "incr session:user:plain 1\r\n", window: 50},
		{request: "hincr session:user:table row 1\r\n", window: 8},
		{request: "zincrby session:user:ranking 1 member\r\n", window: 1},
	}
	for _, c := range counters {
		crowd.work(func() error { return c.run(crowd) })
	}
	for _, verbs := range [][2]string{
		{"sadd session:user:%[1]s a\r\nsmembers session:user:%[1]s\r\n", "STORED\r\nVALUE session:user:%[1]s 0 1\r\na\r\nEND\r\n"},
		{"rpush session:user:%[1]s:l a b\r\nlpop session:user:%[1]s:l\r\n", "STORED\r\nVALUE session:user:%[1]s:l 0 1\r\na\r\nEND\r\n"},
		{"nsflush session:other:\r\nsadd session:other:%[1]s a\r\nsmembers session:other:%[1]s\r\n", "OK\r\nSTORED\r\nVALUE session:other:%[1]s 0 1\r\na\r\nEND\r\n"},
	} {
		crowd.work(func() error { return crowd.newcomers(verbs[0], verbs[1]) })
	}
	for i := range takeovers {
		before := crowd.arrived.Load()
		s.Succeed(t)
		crowd.await(t, "clients to connect", func() bool { return crowd.arrived.Load() > before+10 })
		s.AwaitStopped(t, i+1)
	}
	crowd.end(t)
	for _, c := range counters {
		if c.connections < takeovers {
			t.Errorf("%q was sent on %d connections only", c.request, c.connections)
		}
	}
	harness.Dial(t, addr).Ask("nsflush session:user:\r\nzget session:user:ranking member\r\nhget session:user:table row\r\nget session:user:plain\r\n",
		"OK\r\nNOT_FOUND\r\nEND\r\nEND\r\n")
}

// While the connections to the servers are lost time and again, what was acknowledged to clients of lists in a namespace is there, in
// its order, and nothing twice. After a flush, nothing is.
func TestNamespacesOnLostConnections(t *testing.T) {
	t.Parallel()
	var links []*harness.Link
	var servers []string
	for _, version := range harness.Versions[1:] {
		links = append(links, harness.StartLink(t, harness.StartMemcached(t, version).Addr))
		servers = append(servers, links[len(links)-1].Addr)
	}
	addr := harness.FreeAddr(t)
	m := harness.StartMemverbsWith(t, writeSpaced(t, addr, "", servers...), addr)
	pushers := make([]*pusher, 6)
	var working sync.WaitGroup
	done := make(chan struct{})
	for i := range pushers {
		p := &pusher{key: fmt.Sprintf("session:user:%d", i), client: harness.Dial(t, addr)}
		pushers[i] = p
		working.Go(func() { p.push(t, done) })
	}
	progress := func() {
		for _, p := range pushers {
			before := p.acknowledged.Load()
			harness.Await(t, "a push to "+p.key, func() bool { return p.acknowledged.Load() > before+3 || t.Failed() })
		}
	}
	for i := range 10 {
		progress()
		link, before := links[i%len(links)], losses(m)
		link.Cut()
		harness.Await(t, "the loss to be noticed", func() bool { return losses(m) > before || t.Failed() })
		link.Join(t)
	}
	progress()
	close(done)
	working.Wait()
	c := harness.Dial(t, addr)
	for _, p := range pushers {
		p.check(t, c)
	}
	c.Ask("nsflush session:user:\r\n", "OK\r\n")
	for _, p := range pushers {
		c.Ask("lrange "+p.key+"\r\n", "END\r\n")
	}
}

// losses returns how often a server has been found down.
func losses(m *harness.Memverbs) int { return strings.Count(m.Log(), "upstream is down") }

// pusher pushes numbers to a list.
type pusher struct {
	key          string
	client       *harness.Client
	known        map[string]bool // those that were pushed; whether that was acknowledged
	acknowledged atomic.Int64
}

func (p *pusher) push(t *testing.T, done chan struct{}) {
	p.known = map[string]bool{}
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		default:
		}
		element := fmt.Sprint(n)
		p.client.Send("rpush " + p.key + " " + element + "\r\n")
		line := p.client.Line()
		if p.known[element] = line == "STORED"; p.known[element] {
			p.acknowledged.Add(1)
		} else if !strings.HasPrefix(line, "SERVER_ERROR ") {
			t.Errorf("a push to %s is answered with %q", p.key, line)
			return
		}
	}
}

// check checks the list.
func (p *pusher) check(t *testing.T, c *harness.Client) {
	c.Send("lrange " + p.key + "\r\n")
	c.Line()
	last := 0
	for _, element := range bytes.Fields([]byte(c.Line())) {
		var n int
		fmt.Sscan(string(element), &n)
		if _, pushed := p.known[string(element)]; !pushed || n <= last {
			t.Errorf("%s has %s after %d", p.key, element, last)
		}
		last = n
		delete(p.known, string(element))
	}
	c.Expect("END\r\n")
	for element, acknowledged := range p.known {
		if acknowledged {
			t.Errorf("%s lacks %s", p.key, element)
		}
	}
}
