package embedded

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestCloseLeavesNothing(t *testing.T) {
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	s, err := New(testMemory, testMaxItem)
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	for _, sent := range []string{"", "get a\r\n", "get", "set a 0 0 100\r\nhalf of it"} {
		conn, err := s.Dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(sent)); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	s.Close()
	if _, err := s.Dial(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("dialing afterwards: %v", err)
	}
	for _, conn := range conns {
		io.Copy(io.Discard, conn) // ends, or fails as there was unread input
		conn.Close()
	}
	s.Close()
	await(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines })
	await(t, "the descriptors to be closed", func() bool { return descriptors(t) <= files })
}

// A client can close its connection at any point of a request.
func TestHangingUp(t *testing.T) {
	s, _ := openStore(t, testMemory, testMaxItem)
	files := descriptors(t)
	for _, sent := range []string{"", "g", "get a", "get a\r\n", "set a 0 0 5\r\nhe", "set a 0 0 5000000\r\nhe", "ms a 2 q\r\n"} {
		conn, err := s.Dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(sent)); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	await(t, "the connections to end", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.conns) == 0
	})
	await(t, "their descriptors to be closed", func() bool { return descriptors(t) <= files })
}

func TestDialGivesAUnixConn(t *testing.T) {
	s, _ := openStore(t, testMemory, testMaxItem)
	conn, err := s.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, ok := conn.(*net.UnixConn); !ok {
		t.Errorf("%T", conn)
	}
}

// readAll returns what the store sends until it closes the connection.
func (c *client) readAll() string {
	all, err := io.ReadAll(c.in)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.t.Fatal("the store does not hang up")
	}
	return string(all)
}

func TestQuit(t *testing.T) {
	c, _ := openClient(t)
	c.send("set a 0 0 1\r\nx\r\nquit\r\nget a\r\n")
	if got := c.readAll(); got != "STORED\r\n" {
		t.Errorf("%q", got)
	}
}

// An endless line is answered with an error and does not block the store.
func TestEndlessLines(t *testing.T) {
	for _, begin := range []string{"", "x", "get ", "gets x", "set ", "sadd ", "mg a ", "\x80"} {
		c, _ := openClient(t)
		go func() {
			filler := []byte(strings.Repeat("x", 1<<20))
			c.conn.Write([]byte(begin))
			for range 10 {
				if _, err := c.conn.Write(filler); err != nil {
					return // hung up
				}
			}
			c.conn.Write([]byte("\r\n"))
			c.conn.(*net.UnixConn).CloseWrite()
		}()
		if got := c.readAll(); !strings.Contains(got, "ERROR") {
			t.Errorf("%q: %.200q", begin, got)
		}
	}
}

// A get may have any number of keys, though the parser yields it in parts.
func TestManyKeys(t *testing.T) {
	c, _ := openClient(t)
	c.ask("set a 0 0 1\r\nx\r\n")
	for _, keys := range []int{1, protocol.MaxKeys, protocol.MaxKeys + 1, 10000} {
		c.expect("get"+strings.Repeat(" a", keys)+"\r\n", strings.Repeat("VALUE a 0 1\r\nx\r\n", keys)+"END\r\n")
	}
}

// Requests of all sizes, in pieces of all sizes.
func TestPieces(t *testing.T) {
	c, _ := openClient(t)
	for size := 1; size < 1<<20; size = size*3 + 1 {
		value := strings.Repeat("x", size)
		request := storage("set", "k", "0", size) + "get k\r\n"
		for from, piece := 0, 1; from < len(request); from, piece = from+piece, piece*5 {
			c.send(request[from:min(len(request), from+piece)])
		}
		c.expect("", "STORED\r\nVALUE k 0 "+strconv.Itoa(size)+"\r\n"+value+"\r\nEND\r\n")
	}
}

// A client that writes much before it reads gets every answer.
func TestPipelining(t *testing.T) {
	c, _ := openClient(t)
	const requests = 20000
	go func() {
		c.conn.Write([]byte(storage("set", "k", "0", 100)))
		for range requests / 100 {
			c.conn.Write([]byte(strings.Repeat("get k\r\n", 100)))
		}
		c.conn.Write([]byte("quit\r\n"))
	}()
	want := "STORED\r\n" + strings.Repeat("VALUE k 0 100\r\n"+strings.Repeat("x", 100)+"\r\nEND\r\n", requests)
	if got := c.readAll(); got != want {
		t.Errorf("%d bytes, not %d", len(got), len(want))
	}
}

// A client that does not read is not sent an unlimited amount, and does not block
// Close.
func TestClientThatDoesNotRead(t *testing.T) {
	s, _ := openStore(t, testMemory, testMaxItem)
	c := connect(t, s.Dial)
	c.send(storage("set", "k", "0", 1<<19))
	blocked := make(chan struct{})
	go func() {
		defer close(blocked)
		for {
			c.conn.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
			if _, err := c.conn.Write([]byte(strings.Repeat("get k\r\n", 1000))); err != nil {
				return
			}
		}
	}()
	<-blocked
	s.Close()
}

// Commands that memcached does not know, including those of the proxy, are unknown.
func TestUnknownCommands(t *testing.T) {
	c, _ := openClient(t)
	for _, request := range []string{"help", "sadd k m", "sadd", "smembers k", "slabs reassign 1 2", "watch", "shutdown"} {
		c.expect(request+"\r\n", "ERROR\r\n")
	}
}

func TestVersion(t *testing.T) {
	c, _ := openClient(t)
	c.expect("version\r\n", "VERSION 1.6.45-embedded\r\n")
}

func TestStats(t *testing.T) {
	c, clock := openClient(t)
	clock.advance(7 * time.Second)
	c.ask("set a 0 0 1\r\nx\r\nget a b\r\nmg b\r\ntouch a 0\r\n")
	stats := c.ask("stats\r\n")
	for _, want := range []string{
		"uptime 7", "curr_items 1", "cmd_get 4", "get_hits 1", "get_misses 3", "cmd_set 1", "cmd_touch 1",
		"curr_connections 1", "total_connections 1", "limit_maxbytes 67108864", "total_items 1", "evictions 0", "bytes 221",
	} {
		if !strings.Contains(stats, "STAT "+want+"\r\n") {
			t.Errorf("no %q in %q", want, stats)
		}
	}
	if !strings.HasSuffix(stats, "END\r\n") {
		t.Errorf("no END: %q", stats)
	}
	c.expect("stats items\r\nstats slabs\r\nstats sizes\r\n", "END\r\nEND\r\nEND\r\n") // as of a memcached without items
	c.ask("stats reset\r\n")
	if stats := c.ask("stats\r\n"); !strings.Contains(stats, "STAT cmd_set 0\r\n") {
		t.Errorf("not reset: %q", stats)
	}
}
