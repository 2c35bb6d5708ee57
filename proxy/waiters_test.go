package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// Clients with a single request have their turn soon, whatever others go on sending,
// and wherever in the queue they are.
func TestThoseWhoWaitAreServedInTurn(t *testing.T) {
	const groups, greedy, each, most = 5, 5, 50_000, 80_000
	open := make(chan struct{})
	var asked atomic.Int64
	arrivals := make(chan int64, groups)
	s := startServer(t, 1, servedUpstream(t, "unix", func(conn net.Conn) {
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
			if asked.Add(1); strings.HasPrefix(line, "touch patient") {
				arrivals <- asked.Load()
			}
			_, _ = io.WriteString(out, "TOUCHED\r\n")
			if in.Buffered() == 0 {
				_ = out.Flush()
			}
		}
	}))
	waiting := func(n int) {
		t.Helper()
		await(t, fmt.Sprintf("%d clients to wait", n), func() (all bool) {
			onLoops(s, func(l *loop) { all = len(l.upstreams[0].first.waiters.queue) == n })
			return all
		})
	}
	n := 0
	for range groups {
		for range greedy {
			conn := dialServer(t, s)
			go func() { _, _ = io.WriteString(conn, strings.Repeat("touch key:12345 0 noreply\r\n", each)) }()
			n++
		}
		waiting(n)
		ask(t, dialServer(t, s), "touch patient 0\r\n")
		n++
		waiting(n)
	}
	close(open)
	for range groups {
		if n := <-arrivals; n > most {
			t.Errorf("a client's only request came after %d of others", n)
		}
	}
}
