package proxy

import (
	"io"
	"net"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/status"
)

// Clients that ask about one set in the same turn of the loop share one read of the
// upstream.
func TestClientsShareReads(t *testing.T) {
	const clients = 10
	s := startServer(t, 1, setOf(t, 100))
	operations := func() (n uint64) {
		onLoops(s, func(l *front.Loop) { n = l.Pools.Current[0].Verbs.Counts.Pool[status.Operations] })
		return n
	}
	exchange(t, dialServer(t, s), "scard k\r\n", "100\r\n")
	before := operations()
	askAtOnce(t, s, clients, "scard k\r\n", "100\r\n")
	if n := operations() - before; n > clients/2 {
		t.Errorf("%d operations for %d reads of one set", n, clients)
	}
}

// A client that asks about one set several times at once reads it once, unless it asks for
// something else between: its requests are carried out in their order.
func TestPipelinedVerbsShareReads(t *testing.T) {
	for _, test := range []struct {
		requests, answers string
		operations        uint64
	}{
		{"scard k\r\nscard k\r\nsismember k 000001\r\nscard k\r\n", "100\r\n100\r\n1\r\n100\r\n", 1},
		{"scard k\r\nscard k\r\nscard l\r\nscard k\r\nscard l\r\n", "100\r\n100\r\n100\r\n100\r\n100\r\n", 4},
	} {
		s := startServer(t, 1, setOf(t, 100))
		client := dialServer(t, s)
		exchange(t, client, "scard k\r\n", "100\r\n")
		operations := func() (n uint64) {
			onLoops(s, func(l *front.Loop) { n = l.Pools.Current[0].Verbs.Counts.Pool[status.Operations] })
			return n
		}
		before := operations()
		exchange(t, client, test.requests, test.answers)
		if n := operations() - before; n != test.operations {
			t.Errorf("%q: %d operations, expected %d", test.requests, n, test.operations)
		}
	}
}

// askAtOnce has clients send the same request in one turn of the loop.
func askAtOnce(t *testing.T, s *Server, clients int, request, answer string) {
	t.Helper()
	conns := make([]net.Conn, clients)
	for i := range conns {
		conns[i] = dialServer(t, s)
		exchange(t, conns[i], "mn\r\n", "MN\r\n")
	}
	onLoops(s, func(*front.Loop) { // the loop reads its sockets when all have sent
		for _, conn := range conns {
			if _, err := io.WriteString(conn, request); err != nil {
				t.Error(err)
			}
		}
	})
	for _, conn := range conns {
		exchange(t, conn, "", answer)
	}
}
