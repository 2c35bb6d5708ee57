package operation

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// movers are clients that get and set while one proxy replaces another in front of a pool.
type movers struct {
	target atomic.Pointer[string] // where they connect to
	stop   atomic.Bool
	all    sync.WaitGroup
	counts // since the last take
}

// counts is what clients saw.
type counts struct {
	hits, misses, stored, refused, ended, failed atomic.Int64
	wrong                                        atomic.Pointer[string]
}

const (
	moverCount = 8
	moverKeys  = 200 // of each
)

// startMovers starts clients of addr. Each has stored its keys when it returns.
func startMovers(t *testing.T, addr string) *movers {
	t.Helper()
	m := &movers{}
	m.connect(addr)
	for n := range moverCount {
		m.all.Go(func() { m.run(n) })
	}
	t.Cleanup(func() {
		m.stop.Store(true)
		m.all.Wait()
	})
	m.await(t, "the keys to be stored", func() bool { return m.stored.Load() >= 2*moverCount*moverKeys })
	return m
}

// connect has all clients use the proxy at addr, from their next request on.
func (m *movers) connect(addr string) { m.target.Store(&addr) }

// await waits for a condition, and fails the test if a client got a wrong reply.
func (m *movers) await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	harness.Await(t, what, func() bool { return condition() || m.wrong.Load() != nil })
	if wrong := m.wrong.Load(); wrong != nil {
		t.Fatalf("while waiting for %s: %s", what, *wrong)
	}
}

// round waits until every key has been asked for some times, and returns what the clients saw.
func (m *movers) round(t *testing.T, phase string) (hits, misses, refused, ended, failed int64) {
	t.Helper()
	m.hits.Store(0)
	m.misses.Store(0)
	m.refused.Store(0)
	m.ended.Store(0)
	m.failed.Store(0)
	m.await(t, phase, func() bool { return m.hits.Load()+m.misses.Load()+m.refused.Load() > 5*moverCount*moverKeys })
	hits, misses, refused, ended, failed = m.hits.Load(), m.misses.Load(), m.refused.Load(), m.ended.Load(), m.failed.Load()
	t.Logf("%s: %d hits, %d misses, %d refused, %d connections ended by the proxy, %d could not connect", phase, hits, misses, refused, ended, failed)
	return hits, misses, refused, ended, failed
}

// run is client n: it gets each of its keys, and sets it if it is missing or now and then.
func (m *movers) run(n int) {
	c := &mover{movers: m}
	defer c.close()
	for i := 0; !m.stop.Load(); i++ {
		key := fmt.Sprintf("mover%d:%d", n, i%moverKeys)
		if c.get(key) == missing || i%7 == 0 || i < 2*moverKeys {
			c.set(key)
		}
	}
}

// mover is one client.
type mover struct {
	*movers
	conn net.Conn
	at   string
	in   *bufio.Reader
}

// missing is what get returns for a key without a value.
const missing = "END\r\n"

// get gets a key, whose value is the key itself, and returns the first line of the reply.
func (c *mover) get(key string) string {
	line := c.ask("get " + key + "\r\n")
	switch {
	case line == fmt.Sprintf("VALUE %s 0 %d\r\n", key, len(key)):
		if value, end := c.line(), c.line(); value != key+"\r\n" || end != missing {
			c.complain(key, value+end)
		}
		c.hits.Add(1)
	case line == missing:
		c.misses.Add(1)
	default:
		c.other(key, line)
	}
	return line
}

func (c *mover) set(key string) {
	line := c.ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(key), key))
	if line == "STORED\r\n" {
		c.stored.Add(1)
		return
	}
	c.other(key, line)
}

// other counts a reply that is neither a hit nor a miss.
func (c *mover) other(key, line string) {
	switch {
	case strings.HasPrefix(line, "SERVER_ERROR upstream "):
		c.refused.Add(1)
	case line != "":
		c.complain(key, line)
	}
}

func (c *mover) complain(key, reply string) {
	text := fmt.Sprintf("%s was answered by %q", key, reply)
	c.wrong.CompareAndSwap(nil, &text)
}

// ask sends a request and returns the first line of its reply, empty if the connection ended.
func (c *mover) ask(request string) string {
	if target := *c.target.Load(); c.conn == nil || c.at != target {
		c.close()
		conn, err := net.Dial("tcp", target)
		if err != nil {
			c.failed.Add(1)
			return ""
		}
		c.conn, c.at, c.in = conn, target, bufio.NewReader(conn)
	}
	_, _ = c.conn.Write([]byte(request))
	return c.line()
}

// line reads a line, empty if the connection ended.
func (c *mover) line() string {
	if c.conn == nil {
		return ""
	}
	line, err := c.in.ReadString('\n')
	if err != nil {
		if line != "" {
			c.complain("a request", line+" and then "+err.Error())
		}
		c.ended.Add(1)
		c.close()
	}
	return line
}

func (c *mover) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// A pool is moved from twemproxy to memverbs under load, as an operator would do it: import the
// file, check it, verify the layout, start memverbs beside twemproxy, switch the clients, add a
// server, restart, and lose a server.
func TestMoveFromTwemproxy(t *testing.T) {
	t.Parallel()
	var stores []*harness.Memcached
	for i := range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Versions[i%len(harness.Versions)]))
	}
	dir, before, after := t.TempDir(), harness.FreeAddr(t), harness.FreeAddr(t)
	file := filepath.Join(dir, "nutcracker.yml")
	writeText(t, file, fmt.Sprintf("main:\n  listen: %s\n  hash: md5\n  distribution: ketama\n  timeout: 5000\n  servers:\n    - %s:1\n    - %s:1\n    - %s:1\n",
		before, stores[0].Addr, stores[1].Addr, stores[2].Addr))
	n := harness.StartNutcrackerWith(t, file, before)
	m := startMovers(t, before)
	m.round(t, "through twemproxy")

	settings := filepath.Join(dir, "memverbs.yml")
	memverbs(t, "import", "-o", settings, file)
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, settings, strings.Replace(string(text), before, after, 1))
	t.Logf("check: %s", memverbs(t, "check", settings))
	servers := stores[0].Addr + "," + stores[1].Addr + "," + stores[2].Addr
	t.Logf("verify: %s", memverbs(t, "verify", "--layout", "twemproxy:ketama:md5", "--upstream", servers))

	s := harness.StartSuccession(t, "--config", settings)
	m.connect(after)
	if _, misses, refused, _, failed := m.round(t, "through memverbs"); misses+refused+failed > 0 {
		t.Error("not every key is where it was")
	}
	n.Stop(t)

	text, err = os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, settings, strings.TrimRight(string(text), "\n")+fmt.Sprintf("\n      - \"%s:1\"\n", stores[3].Addr))
	s.Signal(t, syscall.SIGHUP)
	m.await(t, "the reload", func() bool { return strings.Contains(s.Log(), "msg=reloaded") })
	if hits, misses, refused, ended, failed := m.round(t, "with one server more"); hits < misses || refused+ended+failed > 0 {
		t.Error("adding a server costs more than the misses of the keys that move")
	}
	s.Succeed(t)
	s.AwaitStopped(t, 1)
	if _, misses, refused, _, failed := m.round(t, "after a restart"); misses+refused+failed > 0 {
		t.Error("the restart was noticed otherwise than by the end of connections")
	}
	stores[3].Kill(t)
	m.await(t, "the loss of a server", func() bool { return strings.Contains(s.Log(), "upstream is down") })
	if hits, misses, refused, ended, failed := m.round(t, "with a server killed"); hits < refused || misses+ended+failed > 0 {
		t.Error("a server that is killed costs more than its own keys")
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// memverbs runs a subcommand and returns what it says.
func memverbs(t *testing.T, args ...string) string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), harness.Program(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("memverbs %q: %v\n%s", args, err, said)
	}
	return string(said)
}
