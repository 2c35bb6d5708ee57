package proxy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/pool"
)

// comers is how many clients come at once, more than there is room for.
const comers = 100

// come connects clients that ask for key, and waits until some of them wait for the others.
func come(t *testing.T, s *Server, key string) (conns []net.Conn) {
	t.Helper()
	for range comers {
		conn := dialServer(t, s)
		if _, err := fmt.Fprintf(conn, "get %s\r\n", key); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	await(t, "all to have asked", func() bool {
		asked, waiting := newcomersOf(s)
		if asked > pool.MostNewcomers(front.ExpectedFirst) {
			t.Fatalf("%d newcomers are being served", asked)
		}
		return asked+waiting == comers
	})
	return conns
}

// newcomersOf returns how many values newcomers have asked all upstreams for, and how many of them
// wait.
func newcomersOf(s *Server) (asked, waiting int) {
	onLoops(s, func(l *front.Loop) {
		for _, u := range l.Pools.Current[0].All {
			asked += u.First.Unsized
			waiting += u.WaitingNewcomers()
		}
	})
	return asked, waiting
}

// Newcomers wait for each other, so that other clients need not wait for all of them. All are
// answered, and nothing is left of those who leave before that.
func TestNewcomersTakeTurns(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	old := dialServer(t, s)
	exchange(t, old, "get small\r\n", twofoldReply("small"))
	conns := come(t, s, "held-large")
	if _, err := io.WriteString(old, "get small-too\r\n"); err != nil {
		t.Fatal(err)
	}
	await(t, "the old client not to wait", func() (sent bool) {
		asked, _ := newcomersOf(s)
		onLoops(s, func(l *front.Loop) { sent = l.Pools.Current[0].All[0].InFlight() == asked+1 })
		return sent
	})
	for _, conn := range conns[:comers/4] {
		_ = conn.Close()
	}
	for range comers {
		f.word <- true
	}
	for _, conn := range conns[comers/4:] {
		exchange(t, conn, "", twofoldReply("held-large"))
	}
	exchange(t, old, "", twofoldReply("small-too"))
	if asked, waiting := newcomersOf(s); asked+waiting > 0 {
		t.Errorf("%d values are outstanding and %d clients wait", asked, waiting)
	}
}

// An upstream that does not answer delays the newcomers that want something of it, and no others.
func TestNewcomersOfOneUpstream(t *testing.T) {
	silent, other := startTwofold(t, nil), startTwofold(t, nil)
	s := newServer(1, silent.Upstream, other.Upstream)
	s.shared.Config.Pools[0].Layout = heldOnFirst{}
	start(t, s)
	come(t, s, "held")
	exchange(t, dialServer(t, s), "get other\r\n", twofoldReply("other"))
}

// heldOnFirst places keys that begin with "held" on the first upstream, others on the second.
type heldOnFirst struct{}

func (heldOnFirst) Locate(key []byte) int {
	if bytes.HasPrefix(key, []byte("held")) {
		return 0
	}
	return 1
}
