package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/status"
)

// statsUpstream is a server for which play writes the answers to stats.
func statsUpstream(t *testing.T, play func(conn net.Conn, line string)) config.Upstream {
	t.Helper()
	return servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			switch line := lines.Text(); {
			case line == "version":
				_, _ = io.WriteString(conn, "VERSION 1.6.38\r\n")
			case line == "stats settings":
				_, _ = io.WriteString(conn, "END\r\n")
			case strings.HasPrefix(line, "stats"):
				play(conn, line)
			default:
				_, _ = io.WriteString(conn, "END\r\n")
			}
		}
	})
}

// readStats reads an answer to stats.
func readStats(t *testing.T, conn net.Conn) map[string]string {
	t.Helper()
	told := map[string]string{}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	lines := bufio.NewScanner(conn)
	for lines.Scan() && lines.Text() != "END" {
		if words := strings.SplitN(lines.Text(), " ", 3); len(words) == 3 {
			told[words[1]] = words[2]
		}
	}
	if lines.Text() != "END" {
		t.Fatalf("stats ends with %q, %v", lines.Text(), lines.Err())
	}
	return told
}

func ask(t *testing.T, conn net.Conn, request string) {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
}

// Clients that ask for the same statistics at the same time share one poll of the
// upstream.
func TestOnePollForManyClients(t *testing.T) {
	for !pollForMany(t) { // the machine has stalled for so long that the poll was given up
		t.Log("once more")
	}
}

// pollForMany reports whether all clients have asked before the poll is given up.
func pollForMany(t *testing.T) (inTime bool) {
	const clients = 100
	var asked atomic.Int64
	gate := make(chan struct{})
	s := startServer(t, 2, statsUpstream(t, func(conn net.Conn, _ string) {
		asked.Add(1)
		<-gate
		_, _ = io.WriteString(conn, "STAT curr_items 7\r\nSTAT secret 9\r\nEND\r\n")
	}))
	began := time.Now()
	var conns []net.Conn
	for range clients {
		conn := dialServer(t, s)
		conns = append(conns, conn)
		ask(t, conn, "stats\r\nstats\r\n") // the second follows when the first has been answered
	}
	waiting := func() (n int) {
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				replies, _ := c.Owed()
				n += replies
			}
		})
		return n
	}
	const patience = 500 * time.Millisecond // less than that of a poll
	await(t, "all to wait", func() bool {
		return waiting() == clients && !s.shared.SomebodyAsks() || time.Since(began) > patience
	})
	n := asked.Load()
	if close(gate); time.Since(began) > patience {
		return false
	}
	if n != 1 {
		t.Errorf("the upstream was asked %d times", n)
	}
	for _, conn := range conns {
		if told := readStats(t, conn); told["curr_items"] != "7" || told["secret"] != "" {
			t.Errorf("%q items, %q", told["curr_items"], told["secret"])
		}
	}
	return true
}

// endlessHeld is the most memory, in bytes, for answers without an end: a multiple of the
// longest that is accepted.
const endlessHeld = 4 << 20

// An answer without an end is cut off, whatever its content; the client gets an answer
// without it.
func TestEndlessStatsAreCutOff(t *testing.T) {
	for _, line := range []string{"STAT curr_items 1\r\n", "STAT " + strings.Repeat("n", 1000) + " 1\r\n"} {
		s := startServer(t, 1, statsUpstream(t, func(conn net.Conn, _ string) {
			chunk := strings.Repeat(line, 20_000/len(line))
			for {
				if _, err := io.WriteString(conn, chunk); err != nil {
					return
				}
			}
		}))
		conn := dialServer(t, s)
		for range 3 {
			ask(t, conn, "stats\r\n")
			if told := readStats(t, conn); told["upstreams_unreachable"] != "1" || told["curr_items"] != "" {
				t.Errorf("%q unreachable, %q items", told["upstreams_unreachable"], told["curr_items"])
			}
		}
		onLoops(s, func(l *front.Loop) {
			if l.Buffers.InUse() > endlessHeld {
				t.Errorf("%d bytes of buffers are held", l.Buffers.InUse())
			}
		})
	}
}

// An endless answer to stats settings, which is sent on every new connection, is cut
// off too.
func TestEndlessSettingsAreCutOff(t *testing.T) {
	s := startServer(t, 1, servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		_, err := io.WriteString(conn, "VERSION 1.6.38\r\n")
		for chunk := strings.Repeat("STAT item_size_max 1048576\r\n", 1000); err == nil; {
			_, err = io.WriteString(conn, chunk)
		}
	}))
	await(t, "the upstream to be given up, again and again", func() bool {
		var errors uint64
		onLoops(s, func(l *front.Loop) { errors = l.Pools.Current[0].All[0].Stats.Counts[status.Errors] })
		if _, held := heldBy(s); held > endlessHeld {
			t.Fatalf("%d bytes of buffers are held", held)
		}
		return errors >= 3
	})
}

// Requests of every kind before stats have been counted when stats is answered.
func TestStatsWaitForWhatWasAskedBefore(t *testing.T) {
	s := startServer(t, 1, statsUpstream(t, func(conn net.Conn, _ string) { _, _ = io.WriteString(conn, "END\r\n") }))
	conn := dialServer(t, s)
	for n := 1; n <= 50; n++ {
		ask(t, conn, "get k\r\nget k l\r\nstats\r\n")
		exchange(t, conn, "", "END\r\nEND\r\n")
		if told := readStats(t, conn); told["get_misses"] != fmt.Sprint(3*n) {
			t.Fatalf("%s misses after %d", told["get_misses"], 3*n)
		}
	}
}
