package proxy

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/proxy/status"
)

// newShadowed returns a proxy, not started yet, with a pool main and its shadow, other, to which all keys are sent too.
func newShadowed(main, other config.Upstream) *Server {
	s := newServer(1, main)
	c := &s.shared.Config
	p := c.Pools[0]
	p.Name, p.Upstreams = "other", []config.Upstream{other}
	c.Pools = append(c.Pools, p)
	c.Listeners[0].Routes[0] = config.Route{Pool: "main", Shadow: "other", Share: shadow.All}
	return s
}

// startShadowed starts it, and waits until the shadow has been tried.
func startShadowed(t *testing.T, s *Server) *Server {
	t.Helper()
	start(t, s)
	await(t, "the shadow to be tried", func() (tried bool) {
		onLoops(s, func(l *front.Loop) { tried = l.Pools.Current[1].Tried() })
		return tried
	})
	return s
}

// shadowCounts returns what pool number n has counted as a shadow, from ShadowSent on.
func shadowCounts(s *Server, n int) (counts [status.ShadowInNeither - status.ShadowSent + 1]uint64) {
	onLoops(s, func(l *front.Loop) { copy(counts[:], l.Pools.Current[n].Stats.Verbs.Pool[status.ShadowSent:]) })
	return counts
}

// A shadow that does not answer keeps no client waiting, and no shutdown.
func TestMuteShadow(t *testing.T) {
	t.Parallel()
	mute := make(chan struct{})
	defer close(mute)
	s := startShadowed(t, newShadowed(cannedUpstream(t, []byte("END\r\n")), playedUpstream(t, "unix", func(net.Conn, []string) { <-mute })))
	conn := dialServer(t, s)
	exchange(t, conn, "get a\r\nget b c\r\nget d\r\n", "END\r\nEND\r\nEND\r\n")
	onLoops(s, func(l *front.Loop) {
		if sent, waited := l.Pools.Current[1].All[0].InFlight(), l.InFlight(); sent != 3 || waited != 0 {
			t.Errorf("%d requests are in flight to the shadow, and a shutdown would wait for %d", sent, waited)
		}
	})
}

// The shadow is not asked for values that the process has, since their own server is not either.
func TestShadowBehindNear(t *testing.T) {
	t.Parallel()
	u := &slowStore{}
	s := newShadowed(playedUpstream(t, "unix", u.play), cannedUpstream(t, []byte("END\r\n")))
	s.shared.Config.Pools[0].Near = []byprefix.Duration{{Text: "n:", For: time.Hour}}
	startShadowed(t, s)
	conn := dialServer(t, s)
	exchange(t, conn, "get n:a\r\n", one("n:a", "0"))
	exchange(t, conn, "get n:a\r\nget n:a n:b\r\n", one("n:a", "0")+"VALUE n:a 0 1\r\n0\r\nVALUE n:b 0 1\r\n0\r\nEND\r\n")
	await(t, "the gets to be compared", func() bool {
		counts := shadowCounts(s, 1)
		return counts == [len(counts)]uint64{0: 2, status.ShadowOnlyMain - status.ShadowSent: 2}
	})
}

// A get that is lost goes to the spare pool, whose answer is not compared with that of the shadow.
func TestShadowOfALostGet(t *testing.T) {
	t.Parallel()
	s := newShadowed(playedUpstream(t, "unix", func(conn net.Conn, _ []string) { _ = conn.Close() }), cannedUpstream(t, []byte("END\r\n")))
	c := &s.shared.Config
	spare := c.Pools[1]
	spare.Name, spare.Upstreams = "spare", []config.Upstream{cannedUpstream(t, []byte("VALUE k 0 5\r\nspare\r\nEND\r\n"))}
	c.Pools = append(c.Pools, spare)
	c.Pools[0].OnDown, c.Pools[0].Spare, c.Pools[0].SpareTTL = config.Spare, "spare", time.Minute
	startShadowed(t, s)
	await(t, "the spare pool to be reached", func() (up bool) {
		onLoops(s, func(l *front.Loop) { up = l.Pools.Current[2].Tried() })
		return up
	})
	conn := dialServer(t, s)
	exchange(t, conn, "get k\r\n", one("k", "spare"))
	await(t, "the shadow to have answered", func() bool {
		inFlight := 1
		onLoops(s, func(l *front.Loop) { inFlight = l.Pools.Current[1].All[0].InFlight() })
		return inFlight == 0
	})
	if counts := shadowCounts(s, 1); counts != [len(counts)]uint64{0: 1} {
		t.Errorf("counted %v", counts)
	}
}

// A shadow without meta commands is not sent any, since it would take their data for commands.
func TestOldShadow(t *testing.T) {
	t.Parallel()
	s := startShadowed(t, newShadowed(playedUpstream(t, "unix", func(conn net.Conn, _ []string) { _, _ = io.WriteString(conn, "EN\r\n") }), oldUpstream(t)))
	exchange(t, dialServer(t, s), "mg k v\r\n", "EN\r\n")
	if counts := shadowCounts(s, 1); counts != [len(counts)]uint64{status.ShadowUnsent - status.ShadowSent: 1} {
		t.Errorf("counted %v", counts)
	}
}

// The keys of a get of several keys are compared one by one, even if all are on one server.
func TestShadowOfSeveralKeys(t *testing.T) {
	t.Parallel()
	s := startShadowed(t, newShadowed(cannedUpstream(t, []byte(one("a", "x"))), cannedUpstream(t, []byte(one("b", "x")))))
	exchange(t, dialServer(t, s), "get a b c\r\n", one("a", "x"))
	await(t, "the get to be compared", func() bool {
		return shadowCounts(s, 1) == [...]uint64{3, 0, 0, 0, 1, 1, 1}
	})
}
