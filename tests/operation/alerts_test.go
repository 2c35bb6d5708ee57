package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// Each alert fires when that is done of which it warns, and none fires for proxies that are well. In the end every
// panel of the dashboard has something to show.
func TestAlertsFire(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	crowded := startWatched(t, "--buffer-memory", "32MB", "--max-clients", "100")
	cramped := startWatched(t, "--structure-item-size", "2KB")
	guarded := startWatched(t, "--auth-file", harness.PrivateFile(t, "ann:right\n"))
	changed := startWithFile(t)
	w := startWatch(t, map[string][]string{
		"pair":   {p.one.admin, p.other.admin},
		"others": {crowded.admin, cramped.admin, guarded.admin, changed.admin},
	})

	w.await("MemverbsProxiesDisagree", `job="others",pool="main"`) // since changed has another server
	w.await("MemverbsCertificateEndsSoon", changed.label())
	harness.Await(t, "the pair to be well", func() bool {
		return w.query(`count(memverbs_upstream_up{job="pair"} == 1)`)[""] == "4" && len(w.firing(`job="pair"`)) == 0
	})
	changed.spoil(t)
	w.await("MemverbsReloadFailed", changed.label())
	w.awaitWhile("MemverbsPasswordsRefused", guarded.label(), func() {
		harness.Dial(t, guarded.Addr).Ask(harness.ShowingPassword("ann", "wrong"), "CLIENT_ERROR authentication failure\r\n")
	})
	overcrowd(t, crowded)
	for _, alert := range []string{"MemverbsClientsNearLimit", "MemverbsClientsRefused", "MemverbsMemoryNearlyFull", "MemverbsOutOfMemory"} {
		w.await(alert, crowded.label())
	}
	loseStructure(t, cramped)
	w.await("MemverbsStructuresLost", cramped.label()+`,kind="set"`)
	fillStructure(t, cramped)
	w.await("MemverbsStructuresFull", cramped.label())
	p.fail(w)

	w.checkRules()
	checkDashboard(t, w.prometheus)
}

// withFile is a memverbs whose settings are in a file, with a certificate that soon ends.
type withFile struct {
	watched
	file string
}

func startWithFile(t *testing.T) withFile {
	t.Helper()
	server, addr := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
	certificate := securetest.NewAuthority(t).IssueUntil(time.Now().Add(48 * time.Hour))
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	text := fmt.Sprintf("admin: 127.0.0.1:0\npools:\n  main:\n    listen: [%q]\n    servers: [%q]\n    tls-cert: %s\n    tls-key: %s\n",
		addr, server.Addr, certificate.Cert, certificate.Key)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := harness.StartMemverbsWith(t, file, addr)
	return withFile{watched{m, adminOf(m)}, file}
}

// spoil has it read a file that is wrong.
func (c withFile) spoil(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(c.file, []byte("pools: none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(c.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

// overcrowd connects more clients than may be, and has them send more than there is memory for.
func overcrowd(t *testing.T, m watched) {
	t.Helper()
	part := strings.Repeat("x", 900_000)
	for n := range 110 {
		c := harness.Dial(t, m.Addr)
		if n < 90 {
			c.Send(fmt.Sprintf("set k%d 0 0 1000000\r\n%s", n, part))
		}
	}
}

// loseStructure takes a part from a set, as memcached does when it evicts an item.
func loseStructure(t *testing.T, m watched) {
	t.Helper()
	c := harness.Dial(t, m.Addr)
	for n := range 40 {
		c.Ask(fmt.Sprintf("sadd s member%0200d\r\n", n), "STORED\r\n")
	}
	c.Send("scompact s\r\nget s\r\n")
	for line := c.Line(); line != "END"; line = c.Line() {
		if at, ok := strings.CutPrefix(line, "@"); ok {
			id, _, _ := strings.Cut(at, ":")
			defer c.Ask("delete s:"+id+".0\r\nsmembers s\r\n", "DELETED\r\nEND\r\n")
		}
	}
}

// fillStructure adds to a list until there is no room.
func fillStructure(t *testing.T, m watched) {
	t.Helper()
	c := harness.Dial(t, m.Addr)
	add := "rpush l" + strings.Repeat(" "+strings.Repeat("x", 200), 1000) + "\r\n"
	for line := "STORED"; !strings.HasPrefix(line, "SERVER_ERROR l is full"); line = c.Line() {
		if line != "STORED" {
			t.Fatalf("rpush: %s", line)
		}
		c.Send(add)
	}
}

// pair is two proxies in front of two servers, of which one is behind a link.
type pair struct {
	t              *testing.T
	one, other     watched
	linked, server *harness.Memcached
	link           *harness.Link
}

func startPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{t: t, linked: harness.StartMemcached(t, harness.Newest), server: harness.StartMemcached(t, harness.Newest)}
	p.link = harness.StartLink(t, p.linked.Addr)
	servers := []string{"--upstream", p.link.Addr, "--upstream", p.server.Addr, "--timeout", "500ms"}
	p.one, p.other = startWatched(t, servers...), startWatched(t, servers...)
	return p
}

// fail has the servers fail, and at last a proxy.
func (p *pair) fail(w *watch) {
	t := p.t
	t.Helper()
	linked := fmt.Sprintf("%s,upstream=%q", p.one.label(), p.link.Addr)
	isUp := func(want string) func() bool {
		return func() bool { return w.query("memverbs_upstream_up{" + linked + "}")[""] == want }
	}
	for range 3 {
		p.link.Cut()
		harness.Await(t, "an outage", isUp("0"))
		p.link.Join(t)
		harness.Await(t, "the end of the outage", isUp("1"))
	}
	w.await("MemverbsServerUnsteady", linked)

	p.linked.Freeze(t)
	ask := func() {
		c := harness.Dial(t, p.one.Addr)
		c.Send("get 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\r\n") // some are there
		c.Line()
	}
	w.awaitWhile("MemverbsServerTimesOut", linked, ask)
	w.awaitWhile("MemverbsRequestsFail", p.one.label(), ask)
	p.linked.Thaw(t)

	p.server.Kill(t)
	server := fmt.Sprintf("%s,upstream=%q", p.one.label(), p.server.Addr)
	w.await("MemverbsServerDown", server)
	changeManyKeys(t, p.one)
	w.await("MemverbsKeysForgotten", server)
	p.link.Cut()
	w.await("MemverbsNotReady", p.one.label())
	p.other.Kill(t)
	w.await("MemverbsDown", p.other.label())
}

// changeManyKeys deletes more keys than a proxy remembers of a server that is away, of two servers.
func changeManyKeys(t *testing.T, m watched) {
	t.Helper()
	var deletes strings.Builder
	for n := range 300_000 {
		fmt.Fprintf(&deletes, "delete %d noreply\r\n", n)
	}
	c := harness.Dial(t, m.Addr)
	c.Ask(deletes.String()+"mn\r\n", "MN\r\n")
}
