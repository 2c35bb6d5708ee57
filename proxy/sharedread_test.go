package proxy

import (
	"io"
	"net"
	"testing"
)

// Clients that ask about one set in the same turn of the loop share one read of the
// upstream.
func TestClientsShareReads(t *testing.T) {
	const clients = 10
	s := startServer(t, 1, setOf(t, 100))
	conns := make([]net.Conn, clients)
	for i := range conns {
		conns[i] = dialServer(t, s)
		exchange(t, conns[i], "scard k\r\n", "100\r\n")
	}
	var before, after uint64
	onLoops(s, func(l *loop) { // the loop reads its sockets when all have sent
		before = l.pools[0].verbs.Counts.Operations
		for _, conn := range conns {
			if _, err := io.WriteString(conn, "scard k\r\n"); err != nil {
				t.Error(err)
			}
		}
	})
	for _, conn := range conns {
		exchange(t, conn, "", "100\r\n")
	}
	onLoops(s, func(l *loop) { after = l.pools[0].verbs.Counts.Operations })
	if n := after - before; n > clients/2 {
		t.Errorf("%d operations for %d reads of one set", n, clients)
	}
}
