package operation

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// takeovers is how often a process is replaced while clients are connected.
const takeovers = 10

// A process is replaced by another time and again. Nobody who connects is refused or left without
// a reply. No reply is cut in the middle. What was not answered was not carried out. Clients that
// are idle are disconnected, and come over.
func TestTakeovers(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Versions[1]), harness.StartMemcached(t, harness.Newest)
	addr := harness.FreeAddr(t)
	s := harness.StartSuccession(t, "--listen", addr, "--loops", "2", "--upstream", one.Addr, "--upstream", two.Addr)
	crowd := &crowd{addr: addr}
	harness.Dial(t, addr).Ask("set plain 0 0 1\r\n0\r\nset single 0 0 1\r\n0\r\nhset table row 0 0 1\r\n0\r\n", strings.Repeat("STORED\r\n", 3))
	counters := []*counter{
		{request: "incr plain 1\r\n", window: 50},
		{request: "incr single 1\r\n", window: 1},
		{request: "hincr table row 1\r\n", window: 8},
	}
	for _, c := range counters {
		crowd.work(func() error { return c.run(crowd) })
	}
	crowd.work(func() error {
		return crowd.newcomers("set %[1]s 0 0 1\r\nx\r\nget %[1]s\r\n", "STORED\r\nVALUE %[1]s 0 1\r\nx\r\nEND\r\n")
	})
	crowd.work(func() error {
		return crowd.newcomers("sadd %[1]s a\r\nsmembers %[1]s\r\n", "STORED\r\nVALUE %[1]s 0 1\r\na\r\nEND\r\n")
	})
	const idle = 20
	for range idle {
		crowd.work(crowd.idler)
	}
	crowd.await(t, "the idle clients", func() bool { return crowd.idle.Load() == idle })
	for i := range takeovers {
		before := crowd.arrived.Load()
		s.Succeed(t)
		crowd.await(t, "the idle clients to come over", func() bool { return crowd.idle.Load() == int64(idle*(i+2)) })
		crowd.await(t, "clients to connect", func() bool { return crowd.arrived.Load() > before+10 })
		s.AwaitStopped(t, i+1)
	}
	crowd.end(t)
	for _, c := range counters {
		if c.connections < takeovers {
			t.Errorf("%q was sent on %d connections only", c.request, c.connections)
		}
	}
}

// crowd is many clients at once.
type crowd struct {
	addr    string
	working sync.WaitGroup
	done    atomic.Bool
	failed  atomic.Pointer[error]

	idle    atomic.Int64 // connections of idle clients so far
	arrived atomic.Int64 // connections of newcomers so far

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// work runs a client. The first error of all clients is reported by end.
func (c *crowd) work(client func() error) {
	c.working.Go(func() {
		if err := client(); err != nil {
			c.failed.CompareAndSwap(nil, &err)
		}
	})
}

func (c *crowd) await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	harness.Await(t, what, func() bool { return condition() || c.failed.Load() != nil })
	if err := c.failed.Load(); err != nil {
		c.end(t)
		t.FailNow()
	}
}

func (c *crowd) end(t *testing.T) {
	t.Helper()
	c.done.Store(true)
	c.mu.Lock()
	for conn := range c.conns {
		conn.Close()
	}
	c.mu.Unlock()
	c.working.Wait()
	if err := c.failed.Load(); err != nil {
		t.Error(*err)
	}
}

// dial connects; nobody is ever refused.
func (c *crowd) dial() (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", c.addr, harness.Patience)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	conn.SetDeadline(time.Now().Add(3 * harness.Patience))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conns == nil {
		c.conns = map[net.Conn]bool{}
	}
	c.conns[conn] = true
	if c.done.Load() {
		conn.Close()
	}
	return conn, nil
}

func (c *crowd) hangUp(conn net.Conn) {
	conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.conns, conn)
}

// newcomers connects for each request, and expects the reply.
func (c *crowd) newcomers(request, reply string) error {
	for i := 0; !c.done.Load(); i++ {
		key := fmt.Sprintf("%s%d", request[:2], i)
		conn, err := c.dial()
		if err != nil {
			return err
		}
		expected := fmt.Sprintf(reply, key)
		got := make([]byte, len(expected))
		if _, err = fmt.Fprintf(conn, request, key); err == nil {
			_, err = io.ReadFull(conn, got)
		}
		c.hangUp(conn)
		if (err != nil || string(got) != expected) && !c.done.Load() {
			return fmt.Errorf("a new client got %q, %v; expected %q", got, err, expected)
		}
		c.arrived.Add(1)
	}
	return nil
}

// idler connects, asks for something once, and waits until the connection ends, time and again.
func (c *crowd) idler() error {
	for !c.done.Load() {
		conn, err := c.dial()
		if err != nil {
			return err
		}
		got := make([]byte, len("END\r\n"))
		if _, err = io.WriteString(conn, "get nothing\r\n"); err == nil {
			_, err = io.ReadFull(conn, got)
		}
		if err == nil {
			c.idle.Add(1)
			_, err = conn.Read(got)
		}
		c.hangUp(conn)
		if err != io.EOF && !c.done.Load() {
			return fmt.Errorf("an idle client got %v, expected the end of the connection", err)
		}
	}
	return nil
}

// counter sends a request that counts by one, window of them without waiting.
type counter struct {
	request     string
	window      int
	count       uint64 // the last reply
	connections int
}

func (c *counter) run(of *crowd) error {
	for !of.done.Load() {
		conn, err := of.dial()
		if err != nil {
			return err
		}
		c.connections++
		err = c.use(conn)
		of.hangUp(conn)
		if err != nil && !of.done.Load() {
			return fmt.Errorf("%q: %w", c.request, err)
		}
	}
	return nil
}

// use counts until the connection ends, which it must do after a whole reply. The replies of all
// connections are consecutive, so each request that was carried out was answered.
func (c *counter) use(conn net.Conn) error {
	in := bufio.NewReader(conn)
	if _, err := io.WriteString(conn, strings.Repeat(c.request, c.window)); err != nil {
		return nil // the connection has ended before
	}
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
		n, err := strconv.ParseUint(strings.TrimSuffix(line, "\r\n"), 10, 64)
		if err != nil || n != c.count+1 {
			return fmt.Errorf("%q after %d", line, c.count)
		}
		c.count = n
		_, _ = io.WriteString(conn, c.request) // it fails when the connection ends, which shows in the next read
	}
}
