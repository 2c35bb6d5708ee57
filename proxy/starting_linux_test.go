package proxy

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
)

// early are requests that need the first upstream, with their answers in the end.
var early = []struct{ request, reply string }{
	{"get a\r\nget b\r\n", "END\r\nEND\r\n"},
	{"get b a\r\n", "END\r\n"},
	{"set a1 0 0 1\r\nx\r\nget a1 b\r\n", "STORED\r\nVALUE a1 0 1\r\nx\r\nEND\r\n"},
	{"mg a2 v\r\n", "EN\r\n"},
	{"sadd a3 x\r\nsmembers a3\r\n", "STORED\r\nVALUE a3 0 1\r\nx\r\nEND\r\n"},
	{"smembers b a4\r\n", "END\r\n"},
	{"logput alog 0 0 1\r\nx\r\n", "STORED\r\n"},
	{"logfetch alog2\r\n", "END\r\n"},
	{"flush_all 1000\r\n", "OK\r\n"},
}

// askEarly sends each of the early requests on a client of its own, and returns when
// all of them wait.
func askEarly(t *testing.T, s *Server) (conns []net.Conn) {
	t.Helper()
	for _, e := range early {
		conn := dialServer(t, s)
		if _, err := io.WriteString(conn, e.request); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	await(t, "all clients to wait", func() (all bool) {
		onLoops(s, func(l *front.Loop) {
			u := l.Pools.Current[0].All[0]
			all = u.Waiting() == len(early)
		})
		return all
	})
	return conns
}

// Until it is known whether an upstream can be reached, requests for its keys wait, and
// no others do.
func TestRequestsWaitForAnUpstreamAtStart(t *testing.T) {
	s, outcome := startLate(t)
	conns := askEarly(t, s)
	exchange(t, dialServer(t, s), "set b1 0 0 1\r\nx\r\nget b1 b\r\nsadd b2 x\r\nsmembers b2 b3\r\nlogput blog 0 0 1\r\nx\r\n",
		"STORED\r\nVALUE b1 0 1\r\nx\r\nEND\r\nSTORED\r\nVALUE b2 0 1\r\nx\r\nEND\r\nSTORED\r\n")
	close(outcome)
	for i, e := range early {
		exchange(t, conns[i], "", e.reply)
	}
}

// An upstream is not reported as unreachable before that is known.
func TestStatsWaitForAnUpstreamAtStart(t *testing.T) {
	s, outcome := startLate(t)
	conn := dialServer(t, s)
	ask(t, conn, "stats\r\n")
	await(t, "the poll to wait", func() (waits bool) {
		onLoops(s, func(l *front.Loop) { waits = l.Pools.Current[0].All[0].Waiting() == 1 })
		return waits
	})
	close(outcome)
	if n := readStats(t, conn)["upstreams_unreachable"]; n != "0" {
		t.Errorf("%q upstreams are said to be unreachable", n)
	}
}

// If the upstream can't be reached, the waiting requests are refused.
func TestRequestsAreRefusedIfAnUpstreamIsMissingAtStart(t *testing.T) {
	s, outcome := startLate(t)
	conns := askEarly(t, s)
	outcome <- errors.New("nobody there")
	for i, e := range early {
		line, err := bufio.NewReader(conns[i]).ReadString('\n')
		if err != nil || line != "SERVER_ERROR upstream late is down: nobody there\r\n" {
			t.Errorf("%q was answered by %q (%v)", e.request, line, err)
		}
	}
}

// A server that is shut down while requests wait for an upstream waits no longer than
// Config.Drain.
func TestShutdownWhileRequestsWaitForAnUpstream(t *testing.T) {
	s, _ := startLate(t)
	conns := askEarly(t, s)
	s.Shutdown()
	for i, e := range early {
		if answer, _ := io.ReadAll(conns[i]); len(answer) > 0 && !strings.Contains(string(answer), "shutting down") {
			t.Errorf("%q was answered by %q", e.request, answer)
		}
	}
	if n := s.shared.Clients.Load(); n != 0 {
		t.Errorf("%d clients are left", n)
	}
}
