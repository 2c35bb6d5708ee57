package embedded

import (
	"bufio"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// With -memcached, tests use a memcached instead of a Store where possible, to check
// the tests themselves.
var memcached = flag.String("memcached", "", "the program of a memcached 1.6.45 to compare with")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 20 * time.Second

// await waits until condition holds.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s, in vain", what)
		}
	}
}

// testClock is a clock that advances only when told to.
type testClock struct{ nanos atomic.Int64 }

func (c *testClock) NowNano() int64                      { return c.nanos.Load() }
func (c *testClock) Tick(time.Duration) <-chan time.Time { return nil }
func (c *testClock) advance(d time.Duration)             { c.nanos.Add(int64(d)) }

const (
	testMemory  = 64 << 20
	testMaxItem = 1 << 20
)

func openStore(t testing.TB, memory, maxItem int) (*Store, *testClock) {
	t.Helper()
	clock := &testClock{}
	clock.nanos.Store(time.Now().UnixNano())
	s, err := newStore(memory, maxItem, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, clock
}

// client sends requests and reads replies.
type client struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
}

func connect(t testing.TB, dial func() (net.Conn, error)) *client {
	t.Helper()
	conn, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &client{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// openClient returns a client of a new store.
func openClient(t testing.TB) (*client, *testClock) {
	s, clock := openStore(t, testMemory, testMaxItem)
	return connect(t, s.Dial), clock
}

// ask sends a request and returns the complete answer. It recognizes the end by the
// answer to another request, sent after it.
func (c *client) ask(request string) string {
	c.t.Helper()
	c.send(request + "mg :end: k\r\n")
	var reply strings.Builder
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			c.t.Fatalf("%.80q was answered with %.200q, then: %v", request, reply.String(), err)
		}
		if line == "EN k:end:\r\n" {
			return reply.String()
		}
		reply.WriteString(line)
	}
}

func (c *client) send(request string) {
	c.t.Helper()
	if _, err := c.conn.Write([]byte(request)); err != nil {
		c.t.Fatal(err)
	}
}

// expect sends a request and compares the answer.
func (c *client) expect(request, want string) {
	c.t.Helper()
	if got := c.ask(request); got != want {
		c.t.Fatalf("%.200q was answered with\n%.200q, not\n%.200q", request, got, want)
	}
}

// startMemcached starts a memcached and returns a function that connects to it.
func startMemcached(t *testing.T) func() (net.Conn, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "mc") // short, since the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	run := exec.Command(*memcached, "-u", "root", "-s", socket, "-m", "64", "-o", "no_lru_maintainer,no_lru_crawler")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Kill()
		run.Wait()
	})
	dial := func() (net.Conn, error) { return net.Dial("unix", socket) }
	await(t, "memcached", func() bool {
		conn, err := dial()
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return dial
}
