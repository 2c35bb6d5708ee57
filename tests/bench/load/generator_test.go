//go:build linux

package load

import (
	"bufio"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// mix is what the tests ask for.
var mix = Mix{Keys: 100, ValueSize: 50, GetKeys: 3, Sets: 0.5, Skew: 1}

// soon is a window that begins in a moment.
func soon(length time.Duration) Window {
	from := Now() + int64(10*time.Millisecond)
	return Window{from, from + int64(length)}
}

// answering starts a server that answers each request with what answer returns. If that
// is empty, it closes the connection.
func answering(t *testing.T, network string, answer func(request string) string) Target {
	addr := "127.0.0.1:0"
	if network == "unix" {
		addr = filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					reply := answer(lines.Text())
					if _, err := conn.Write([]byte(reply)); err != nil || reply == "" {
						return
					}
				}
			}()
		}
	}()
	return Target{Network: network, Addr: l.Addr().String()}
}

func open(t *testing.T, target Target, s Shape, source Source) *Generator {
	t.Helper()
	g, err := Open(target, s, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// run puts a target under load until something was answered, which takes a moment, or longer on a machine that is busy.
func run(t *testing.T, target Target, s Shape, source Source) (n Count, err error) {
	t.Helper()
	for length := 300 * time.Millisecond; err == nil && n.Requests == 0 && length < harness.Patience; length *= 2 {
		n, err = open(t, target, s, source).Run(soon(length))
	}
	return n, err
}

func TestLoadOnMemcached(t *testing.T) {
	m := harness.StartMemcached(t, "1.6.38")
	target, source := Target{Network: "tcp", Addr: m.Addr}, NewPlain(mix)
	if err := source.Preload(target); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Shape{
		{Conns: 1, Pipeline: 1, Threads: 3},
		{Conns: 7, Pipeline: 16, Threads: 2},
		{Conns: 20, Pipeline: 1, Threads: 2, Rate: 3000},
		{Conns: 3, Pipeline: 4, Threads: 1, Rate: 3000},
	} {
		n, err := run(t, target, s, source)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		if n.Requests == 0 || n.Failed != 0 || n.Took.TotalCount() != int64(n.Requests)/int64(s.Pipeline) {
			t.Errorf("%+v: %d requests, %d failed, %d latencies", s, n.Requests, n.Failed, n.Took.TotalCount())
		}
		// An open loop sends what is due, however long that takes.
		if want := uint64(900); s.Rate > 0 && (n.Requests < want-4 || n.Requests > want+4) {
			t.Errorf("%+v: %d requests instead of %d", s, n.Requests, want)
		}
	}
}

func TestLoadOnUnixSocket(t *testing.T) {
	target := answering(t, "unix", func(string) string { return "END\r\n" })
	n, err := run(t, target, Shape{Conns: 2, Pipeline: 1, Threads: 1}, misses{})
	if err != nil || n.Requests == 0 {
		t.Errorf("%d requests, %v", n.Requests, err)
	}
}

// A server that stalls holds up all that is due meanwhile, though only one
// connection waits for it.
func TestStallCountsForAllThatWasDue(t *testing.T) {
	window := soon(200 * time.Millisecond)
	over := time.After(time.Duration(window.Until - Now()))
	target := answering(t, "tcp", func(string) string {
		if over != nil {
			<-over
			over = nil
		}
		return "END\r\n"
	})
	n, err := open(t, target, Shape{Conns: 1, Pipeline: 1, Threads: 1, Rate: 1000}, misses{}).Run(window)
	if err != nil {
		t.Fatal(err)
	}
	if n.Requests < 199 || n.Requests > 201 {
		t.Errorf("%d requests instead of 200", n.Requests)
	}
	// Those due in the first half waited for longer than the second half.
	if p50 := time.Duration(n.Took.ValueAtPercentile(50)); p50 < 99*time.Millisecond {
		t.Errorf("half of the requests took no longer than %v", p50)
	}
}

// misses asks for a key that is not there.
type misses struct{}

func (misses) Next(b *Batch, _ *rand.PCG) {
	b.Send([]byte("get nothing\r\n"))
	b.ExpectLast(end)
}

// couples asks twice, one after the other.
type couples struct{}

func (couples) Next(b *Batch, _ *rand.PCG) {
	b.Send([]byte("first\r\n"))
	b.ExpectLast(stored)
	b.Then().Send([]byte("second\r\n"))
	b.Then().ExpectLast(end)
}

// A request of two is not done before both are answered.
func TestLoadGoesOnWithASecondRequest(t *testing.T) {
	var first, second atomic.Int64
	target := answering(t, "tcp", func(request string) string {
		if request == "first" {
			first.Add(1)
			return string(stored)
		}
		second.Add(1)
		return string(end)
	})
	for _, s := range []Shape{{Conns: 2, Pipeline: 3, Threads: 1}, {Conns: 2, Pipeline: 1, Threads: 1, Rate: 1000}} {
		n, err := run(t, target, s, couples{})
		if err != nil || n.Requests == 0 || first.Load() != second.Load() || first.Load() < int64(n.Requests) {
			t.Errorf("%+v: %d requests of %d and %d, %v", s, n.Requests, first.Load(), second.Load(), err)
		}
	}
	if err := Fill(target, 3, func(_ int, b *Batch) { couples{}.Next(b, nil) }); err != nil || first.Load() != second.Load() {
		t.Errorf("filled with %d and %d, %v", first.Load(), second.Load(), err)
	}
}

func TestLoadFailsWithItsServer(t *testing.T) {
	for what, test := range map[string]struct{ reply, err string }{
		"a wrong reply":         {"VALUE x 0 1\r\n", "instead of"},
		"a reply too many":      {"END\r\nEND\r\n", "nobody waits for"},
		"an error of memcached": {"ERROR\r\n", "instead of"},
		"a connection closed":   {"", "closed"},
	} {
		target := answering(t, "tcp", func(string) string { return test.reply })
		_, err := open(t, target, Shape{Conns: 1, Pipeline: 1, Threads: 1}, misses{}).Run(soon(time.Hour))
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestServerErrorsAreCounted(t *testing.T) {
	target := answering(t, "tcp", func(string) string { return "SERVER_ERROR no\r\n" })
	n, err := run(t, target, Shape{Conns: 1, Pipeline: 1, Threads: 1}, misses{})
	if err != nil || n.Requests == 0 || n.Failed != n.Requests {
		t.Errorf("%d of %d requests failed, %v", n.Failed, n.Requests, err)
	}
}

func TestStop(t *testing.T) {
	answered := make(chan struct{}, 1)
	target := answering(t, "tcp", func(string) string {
		select {
		case answered <- struct{}{}:
		default:
		}
		return "END\r\n"
	})
	g := open(t, target, Shape{Conns: 1, Pipeline: 1, Threads: 1}, misses{})
	go func() {
		<-answered
		g.Stop()
	}()
	if _, err := g.Run(soon(time.Hour)); err != nil {
		t.Error(err)
	}
}

func TestShapesAndMixesRefused(t *testing.T) {
	for _, s := range []Shape{{}, {Conns: 1, Pipeline: 1}, {Conns: 1, Pipeline: 1, Threads: 1, Rate: -1}} {
		if s.Check() == nil {
			t.Errorf("%+v is taken", s)
		}
	}
	for _, m := range []Mix{{}, {Keys: 1, ValueSize: 1, GetKeys: 1, Sets: 2}, {Keys: 1, ValueSize: 1, GetKeys: 1, Skew: -1}} {
		if m.Check() == nil {
			t.Errorf("%+v is taken", m)
		}
	}
}
