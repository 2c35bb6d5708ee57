package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/pool"
)

// startCrowded starts a server that runs few verbs at a time.
func startCrowded(t *testing.T, upstreams ...config.Upstream) (s *Server, most int) {
	t.Helper()
	s = newServer(1, upstreams...)
	s.shared.Config.Pools[0].Layout = byPlace{}
	start(t, s)
	most = 5
	onLoops(s, func(l *front.Loop) {
		for _, u := range l.Pools.Current[0].All {
			u.Verbs.Most = most
		}
	})
	return s, most
}

// However many verbs of clients wait, few run at a time, and all are carried out.
func TestFewVerbsAreUnderWay(t *testing.T) {
	ready := make(chan error)
	close(ready)
	s, most := startCrowded(t, lateUpstream(t, "first", ready), lateUpstream(t, "second", ready))
	const verbs = 200
	conns := make([]net.Conn, 30)
	for i := range conns {
		conns[i] = dialServer(t, s)
		go func() {
			_, _ = io.WriteString(conns[i], "sadd a x\r\nsadd b x\r\n"+strings.Repeat("smembers a\r\nsmembers b\r\nget b3\r\n", verbs))
		}()
	}
	for i, conn := range conns {
		exchange(t, conn, "", "STORED\r\nSTORED\r\n")
		exchange(t, conn, "", strings.Repeat("VALUE a 0 1\r\nx\r\nEND\r\nVALUE b 0 1\r\nx\r\nEND\r\nEND\r\n", verbs))
		onLoops(s, func(l *front.Loop) {
			for _, u := range l.Pools.Current[0].All {
				if n := u.Verbs.Running; n > 2*most { // twice as many of clients that have no other
					t.Errorf("%d verbs are under way, after client %d", n, i)
				}
			}
		})
	}
	onLoops(s, func(l *front.Loop) {
		if l.WaitingQueues() != 0 || l.Pools.Current[0].All[0].Verbs.Running+l.Pools.Current[0].All[1].Verbs.Running != 0 {
			t.Errorf("there are %d queues in the end", l.WaitingQueues())
		}
	})
}

// Verbs that wait for an upstream which does not answer don't delay verbs of another.
func TestVerbsOfAFrozenUpstreamAreNotInOthersWay(t *testing.T) {
	ready := make(chan error)
	close(ready)
	frozen := servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			switch lines.Text() {
			case "version":
				_, _ = io.WriteString(conn, "VERSION 1.6.38\r\n")
			case "stats settings":
				_, _ = io.WriteString(conn, "END\r\n")
			}
		}
	})
	s, most := startCrowded(t, frozen, lateUpstream(t, "second", ready))
	var conns []net.Conn
	for range 3 * most {
		conn := dialServer(t, s)
		conns = append(conns, conn)
		if _, err := io.WriteString(conn, strings.Repeat("smembers a\r\n", most)); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "verbs to wait", func() (wait bool) {
		onLoops(s, func(l *front.Loop) {
			wait = l.Pools.Current[0].All[0].Verbs.Len() > 1 && l.Pools.Current[0].All[0].Verbs.Running == 2*most
		})
		return wait
	})
	for _, conn := range conns {
		_ = conn.Close() // these are gone when their turn comes
	}
	exchange(t, dialServer(t, s), "sadd b x\r\nsmembers b\r\n", "STORED\r\nVALUE b 0 1\r\nx\r\nEND\r\n")
}

// A verb without a key belongs to no upstream: it is answered, or refused, at once.
func TestVerbWithoutKeyIsNotLocated(t *testing.T) {
	ready := make(chan error)
	close(ready)
	s, _ := startCrowded(t, lateUpstream(t, "first", ready), lateUpstream(t, "second", ready))
	conn := dialServer(t, s)
	for _, request := range []string{"sadd\r\n", "smembers\r\n", "logfetch\r\n"} {
		ask(t, conn, request)
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(line, "ERROR") {
			t.Errorf("%q was answered by %q (%v)", request, line, err)
		}
	}
	ask(t, conn, "help\r\n")
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || line != "help [<verb>]\r\n" {
		t.Errorf("help begins with %q (%v)", line, err)
	}
}

// However many sets clients ask about, little is read at a time, since replies to
// others use the same connection.
func TestVerbsReadLittleAtATime(t *testing.T) {
	const members, size, verbs = 6000, 6000 * len("+000000 "), 40
	s := startServer(t, 1, setOf(t, members))
	conns := make([]net.Conn, 20)
	for i := range conns {
		conns[i] = dialServer(t, s)
		go func() { _, _ = io.WriteString(conns[i], strings.Repeat("scard a\r\n", verbs)) }()
	}
	for _, conn := range conns {
		exchange(t, conn, "", strings.Repeat(fmt.Sprintf("%d\r\n", members), verbs))
		onLoops(s, func(l *front.Loop) {
			// The limit is twice as high for a client that has no other verb running at the moment.
			if n := l.Pools.Current[0].All[0].InFlight(); n > 2*pool.MaxReading/size+1 {
				t.Errorf("%d sets are asked for", n)
			}
		})
	}
	onLoops(s, func(l *front.Loop) {
		if a := &l.Pools.Current[0].All[0].Verbs; a.Running != 0 || a.Reading != 0 || l.WaitingQueues() != 0 {
			t.Errorf("%d verbs that read %d bytes are under way in the end, and there are %d queues", a.Running, a.Reading, l.WaitingQueues())
		}
	})
}
