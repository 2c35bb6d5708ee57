package proxy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/memverbs/memverbs/proxy/front"
)

// patience is how long a test waits for what should come soon. A loaded machine with the race detector may take
// a hundred times as long as an idle one.
const patience = 3 * time.Minute

// await waits until condition holds.
func await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s, in vain", what)
		}
	}
}

// onLoops calls fn on every loop, one after another.
func onLoops(s *Server, fn func(*front.Loop)) {
	for _, l := range s.shared.Loops {
		done := make(chan struct{})
		l.Post(func() { fn(l); close(done) })
		<-done
	}
}

// heldBy returns the number of clients, and the bytes of buffers, that the server
// holds.
func heldBy(s *Server) (clients, buffers int) {
	onLoops(s, func(l *front.Loop) {
		clients += len(l.Clients.All) + len(l.Clients.Leaving)
		buffers += l.Buffers.InUse()
	})
	return clients, buffers
}

// goroutinesOf returns the number of goroutines, without the coroutines that the loops
// keep for later verbs, which it ends.
func goroutinesOf(s *Server) int {
	onLoops(s, func(l *front.Loop) {
		l.Pools.Current[0].Verbs.CloseIdle()
	})
	return runtime.NumGoroutine()
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// Clients that connect and leave, in any state, leak nothing: no goroutine, no
// descriptor, no buffer.
func TestNothingIsLeftOfClients(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent(), // and the workers that gnet shares
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).purgeStaleWorkers"), goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).ticktock"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*goWorker).run.func1"))
	t.Run("clients", func(t *testing.T) { // so that its clean-up runs before the check
		s := startServer(t, 2, cannedUpstream(t, []byte(value100)))
		warm := dialServer(t, s)
		exchange(t, warm, "get key:12345\r\n", value100)
		warm.Close()
		await(t, "the first client to be gone", func() bool { clients, _ := heldBy(s); return clients == 0 })
		goroutines, files := goroutinesOf(s), descriptors(t)
		for range 10 {
			comeAndGo(t, s)
		}
		await(t, "all clients and their buffers to be gone", func() bool {
			clients, buffers := heldBy(s)
			return s.shared.Clients.Load() == 0 && clients == 0 && buffers == 0
		})
		await(t, fmt.Sprintf("%d goroutines", goroutines), func() bool { return goroutinesOf(s) <= goroutines })
		await(t, fmt.Sprintf("%d descriptors", files), func() bool { return descriptors(t) <= files })
	})
}

// comeAndGo makes a hundred clients connect, do something, and leave in the middle of
// it.
func comeAndGo(t *testing.T, s *Server) {
	t.Helper()
	parting := []string{
		"", "get key:12345\r\n", "get key", "set k 0 0 10\r\nabc", "set k 0 0 1000000\r\n" + strings.Repeat("x", 300000),
		"quit\r\n", strings.Repeat("x", 5000), "sadd k a\r\nsmembers k\r\n", strings.Repeat("get key:12345\r\n", 5000),
		"\x80\x00\x00", "GET / HTTP/1.1\r\n", "get " + strings.Repeat("k ", 3000), "logput l 0 0 3\r\nab",
	}
	var conns []net.Conn
	for n := range 100 {
		conn := dialServer(t, s)
		conns = append(conns, conn)
		if _, err := io.WriteString(conn, parting[n%len(parting)]); err != nil {
			t.Fatal(err)
		}
	}
	for _, conn := range conns {
		conn.Close()
	}
}

// exchange sends a request, unless it is empty, and expects a reply.
func exchange(t *testing.T, conn net.Conn, request, reply string) {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil && request != "" {
		t.Fatal(err)
	}
	got := make([]byte, len(reply))
	_ = conn.SetReadDeadline(time.Now().Add(patience)) // the answer may be shorter
	defer func() { _ = conn.SetReadDeadline(time.Time{}) }()
	if n, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, []byte(reply)) {
		t.Fatalf("%q was answered by %q (%v), expected %q", request, got[:n], err, reply)
	}
}

// A client that stops sending still gets its replies.
func TestHalfClosedClientIsAnswered(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte(value100)))
	conn := dialServer(t, s)
	const n = 20000
	if _, err := io.WriteString(conn, strings.Repeat("get key:12345\r\n", n)); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil || string(got) != strings.Repeat(value100, n) {
		t.Fatalf("%d bytes of replies (%v), expected %d", len(got), err, n*len(value100))
	}
}

// Clients in excess of the limit get an error.
func TestTooManyClients(t *testing.T) {
	s := newServer(2, cannedUpstream(t, []byte(value100)))
	s.shared.Config.MaxClients = 3
	start(t, s)
	var served []net.Conn
	for range 3 {
		conn := dialServer(t, s)
		exchange(t, conn, "get key:12345\r\n", value100)
		served = append(served, conn)
	}
	got, err := io.ReadAll(dialServer(t, s))
	if string(got) != tooMany {
		t.Fatalf("one client more was told %q (%v)", got, err)
	}
	served[0].Close()
	await(t, "a place to be free", func() bool { return s.shared.Clients.Load() < 3 })
	exchange(t, dialServer(t, s), "get key:12345\r\n", value100)
}

// When a loop uses too much memory, the client with the most is disconnected, and only
// that one.
func TestWorstClientIsCutOff(t *testing.T) {
	value := "VALUE key:12345 0 500000\r\n" + strings.Repeat("v", 500000) + "\r\nEND\r\n"
	s := newServer(1, cannedUpstream(t, []byte(value)))
	s.shared.Budget.Limit = 512 << 10
	start(t, s)
	modest, greedy := dialServer(t, s), dialServer(t, s)
	exchange(t, modest, "get key:12345\r\n", value)
	if _, err := io.WriteString(greedy, strings.Repeat("get key:12345\r\n", 64)); err != nil {
		t.Fatal(err)
	}
	await(t, "the greedy client to be cut off", func() bool {
		clients, _ := heldBy(s)
		return clients == 1
	})
	exchange(t, modest, "get key:12345\r\n", value)
}
