package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// touchedUpstream answers touches once open is closed. It counts requests, and reports
// after how many the one of a patient client has arrived.
func touchedUpstream(t *testing.T, open chan struct{}, asked *atomic.Int64, arrivals chan int64) config.Upstream {
	return servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		in, out := bufio.NewReader(conn), bufio.NewWriter(conn)
		if !greet(conn, in) {
			return
		}
		<-open
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			reply := "TOUCHED\r\n"
			if asked.Add(1); strings.Contains(line, "patient") {
				arrivals <- asked.Load()
			}
			if strings.HasPrefix(line, "get") {
				reply = "END\r\n"
			}
			_, _ = io.WriteString(out, reply)
			if in.Buffered() == 0 {
				_ = out.Flush()
			}
		}
	})
}

// awaitWaiting waits until n clients wait for an upstream of the first loop.
func awaitWaiting(t *testing.T, s *Server, upstream, n int) {
	t.Helper()
	await(t, fmt.Sprintf("%d clients to wait", n), func() (all bool) {
		onLoops(s, func(l *front.Loop) { all = l.Pools.Current[0].All[upstream].Waiting() == n })
		return all
	})
}

// A retrieval of more keys than a client's share gets its turn too if it needs several
// connections for which others wait.
func TestRetrievalWaitsForSeveralUpstreamsInTurn(t *testing.T) {
	const greedy, each, most = 8, 50_000, 400_000
	open := make(chan struct{})
	var asked atomic.Int64
	arrivals := make(chan int64, 2)
	s := newServer(1, touchedUpstream(t, open, &asked, arrivals), touchedUpstream(t, open, &asked, arrivals))
	s.shared.Config.Pools[0].Layout = byPlace{}
	start(t, s)
	for upstream, key := range []string{"a", "b"} {
		for range greedy {
			conn := dialServer(t, s)
			go func() { _, _ = io.WriteString(conn, strings.Repeat("touch "+key+"2345 0 noreply\r\n", each)) }()
		}
		awaitWaiting(t, s, upstream, greedy)
	}
	ask(t, dialServer(t, s), "get"+strings.Repeat(" a-patient b-patient", 25)+"\r\n")
	awaitWaiting(t, s, 0, greedy+1)
	close(open)
	for range 2 {
		if n := <-arrivals; n > most {
			t.Errorf("a client's only request came after %d of others", n)
		}
	}
}

// Clients with a single request soon get their turn, whatever others send, and wherever
// in the queue they are.
func TestThoseWhoWaitAreServedInTurn(t *testing.T) {
	const groups, greedy, each, most = 5, 5, 50_000, 80_000
	open := make(chan struct{})
	var asked atomic.Int64
	arrivals := make(chan int64, groups)
	s := startServer(t, 1, touchedUpstream(t, open, &asked, arrivals))
	n := 0
	for range groups {
		for range greedy {
			conn := dialServer(t, s)
			go func() { _, _ = io.WriteString(conn, strings.Repeat("touch key:12345 0 noreply\r\n", each)) }()
			n++
		}
		awaitWaiting(t, s, 0, n)
		ask(t, dialServer(t, s), "touch patient 0\r\n")
		n++
		awaitWaiting(t, s, 0, n)
	}
	close(open)
	for range groups {
		if n := <-arrivals; n > most {
			t.Errorf("a client's only request came after %d of others", n)
		}
	}
}

// A waiting request is carried out unchanged, wherever its bytes are moved when more
// input arrives.
func TestWaitingRequestMovesWithTheInput(t *testing.T) {
	s, outcome := startLate(t)
	conn := dialServer(t, s)
	var want strings.Builder
	for i := range 300 {
		value := strings.Repeat(fmt.Sprint(i%10), 1+i*i%700)
		ask(t, conn, fmt.Sprintf("set a:%d %d 0 %d\r\n%s\r\n", i, i, len(value), value))
		want.WriteString("STORED\r\n")
		if i < 200 && i%50 == 0 {
			awaitWaiting(t, s, 0, 1)
		}
		if i == 200 {
			outcome <- nil // the waiting request is carried out while more input arrives
		}
	}
	var keys string
	for i := 299; i >= 0; i-- {
		keys += fmt.Sprintf(" a:%d", i)
		value := strings.Repeat(fmt.Sprint(i%10), 1+i*i%700)
		fmt.Fprintf(&want, "VALUE a:%d %d %d\r\n%s\r\n", i, i, len(value), value)
	}
	exchange(t, conn, "get"+keys+"\r\n", want.String()+"END\r\n")
}
