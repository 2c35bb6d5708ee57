package proxy

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
)

// startHolding starts a proxy in front of a store, whose gets of keys that begin with h: wait for an hour when they miss.
func startHolding(t *testing.T, loops int, change func(*config.Config)) (s *Server, st *store) {
	t.Helper()
	st = newStore(t, "store")
	s = newServer(loops, config.Upstream{Name: "store", Dial: func(context.Context) (net.Conn, error) { return st.Dial() }})
	s.shared.Config.Pools[0].HoldMisses = []byprefix.Duration{{Text: "h:", For: time.Hour}}
	if change != nil {
		change(&s.shared.Config)
	}
	start(t, s)
	return s, st
}

// awaitHeld waits until so many gets wait.
func awaitHeld(t *testing.T, s *Server, n int) {
	t.Helper()
	await(t, fmt.Sprint(n, " gets to wait"), func() bool { return s.shared.Setup.Load().Pools[0].Held.Waiting() == n })
}

// expectCounts checks how many gets have hit and missed: each is counted once.
func expectCounts(t *testing.T, s *Server, hits, misses uint64) {
	t.Helper()
	var h, m uint64
	onLoops(s, func(l *front.Loop) {
		h, m = h+l.Pools.Current[0].Stats.Hits[tally.Get], m+l.Pools.Current[0].Stats.Misses[tally.Get]
	})
	if h != hits || m != misses {
		t.Errorf("%d hits and %d misses, expected %d and %d", h, m, hits, misses)
	}
}

// holder makes the proxy hold a get: one client has got the miss, and another one waits.
func holder(t *testing.T, s *Server, key string) (maker, waits net.Conn) {
	t.Helper()
	maker, waits = dialServer(t, s), dialServer(t, s)
	exchange(t, maker, "get "+key+"\r\n", "END\r\n")
	ask(t, waits, "get "+key+"\r\n")
	awaitHeld(t, s, 1)
	return maker, waits
}

// However a client stores the key, who waits gets it, on whatever loop.
func TestWhatEndsAHeldMiss(t *testing.T) {
	t.Parallel()
	s, st := startHolding(t, 2, nil)
	for i, change := range []string{"set %s 0 0 1\r\nx\r\n", "set %s 0 0 1 noreply\r\nx\r\n", "add %s 0 0 1\r\nx\r\n", "ms %s 1\r\nx\r\n", "ms %s 1 q\r\nx\r\n", "direct"} {
		key := fmt.Sprint("h:", i)
		maker, waits := holder(t, s, key)
		if change == "direct" {
			direct, err := st.Dial()
			if err != nil {
				t.Fatal(err)
			}
			exchange(t, direct, "set "+key+" 0 0 1\r\nx\r\n", "STORED\r\n")
			_ = direct.Close()
		} else {
			ask(t, maker, fmt.Sprintf(change, key))
		}
		exchange(t, waits, "", one(key, "x"))
		awaitHeld(t, s, 0)
	}
	if waited, makers, missed := counted(s, status.HeldWaited), counted(s, status.HeldMakers), counted(s, status.HeldMissed); waited != 6 || makers != 6 || missed != 0 {
		t.Errorf("%d waited, %d made, %d have waited in vain", waited, makers, missed)
	}
	expectCounts(t, s, 6, 6)
}

// What a client sends behind a get that waits gets it the miss, before that is carried out. What it has sent with a get keeps
// that from waiting, unless it is a get or a noop.
func TestHeldGetsAndWhatFollows(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 1, nil)
	for i, behind := range []struct{ ask, answer string }{
		{"set K 0 0 1\r\nx\r\n", "STORED\r\n"}, {"delete K\r\n", "NOT_FOUND\r\n"}, {"sadd s a\r\n", "STORED\r\n"}, {"touch K 0\r\n", "NOT_FOUND\r\n"},
		{"mg K t v\r\n", "EN\r\n"}, {"nonsense\r\n", "ERROR\r\n"}, {"gat 0 K\r\n", "END\r\n"}, {"version\r\n", ""}, {"mn\r\n", "MN\r\n"}, {"get other\r\n", "END\r\n"},
	} {
		key := fmt.Sprint("h:", i)
		request := strings.ReplaceAll(behind.ask, "K", key)
		_, waits := holder(t, s, key)
		exchange(t, waits, request, "END\r\n"+behind.answer)
		awaitHeld(t, s, 0)
		if i >= 8 {
			continue
		}
		exchange(t, dialServer(t, s), "get with:"+key+"\r\nget h:with:"+key+"\r\n", "END\r\nEND\r\n")
		exchange(t, dialServer(t, s), "get h:with:"+key+"\r\n"+strings.ReplaceAll(behind.ask, "K", "h:with:"+key), "END\r\n"+behind.answer)
	}
}

// A multi-get waits once for all that it misses, whatever its values come from, and the packets or lines of one wait
// together. A client that makes one of the values does not wait.
func TestHeldMultiGets(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 2, nil)
	maker, other := dialServer(t, s), dialServer(t, s)
	exchange(t, maker, "set h:0 0 0 1\r\n0\r\nget h:1\r\nget h:2\r\n", "STORED\r\nEND\r\nEND\r\n")
	for i, form := range []struct{ ask, answer string }{
		{"get h:1 x h:0 h:2 h:1\r\n", "VALUE h:1 0 1\r\nx\r\nVALUE h:0 0 1\r\n0\r\nVALUE h:2 0 1\r\ny\r\nVALUE h:1 0 1\r\nx\r\nEND\r\n"},
		{"mg h:1 v q k\r\nmg x v q\r\nmg h:0 v q\r\nmg h:2 v\r\nmn\r\n", "VA 1 kh:1\r\nx\r\nVA 1\r\n0\r\nVA 1\r\ny\r\nMN\r\n"},
		{getPacket(getKeyQuiet, "h:1") + getPacket(getKeyQuiet, "x") + getPacket(getKeyQuiet, "h:2") + getPacket(0x0a, ""),
			"\x81\x0d\x00\x03\x04"},
	} {
		waits := dialServer(t, s)
		ask(t, waits, form.ask)
		least := map[bool]int{true: 2, false: 1}[i == 1]
		awaitHeld(t, s, least)
		exchange(t, maker, "set h:2 0 0 1\r\ny\r\n", "STORED\r\n")
		awaitHeld(t, s, 1)
		exchange(t, maker, "set h:1 0 0 1\r\nx\r\n", "STORED\r\n")
		exchange(t, waits, "", form.answer)
		exchange(t, maker, "delete h:1\r\ndelete h:2\r\nget h:1\r\nget h:2\r\n", "DELETED\r\nDELETED\r\nEND\r\nEND\r\n")
	}
	exchange(t, other, "get h:1 h:3\r\n", "END\r\n") // nobody makes h:3
	exchange(t, other, "mg h:4 v q\r\nmg h:1 v q\r\nmn\r\n", "MN\r\n")
	expectCounts(t, s, 4+3+2, 2+1+1+1+3*2+4)
}

// A client that is gone, that stops sending, or that the proxy dismisses waits no more.
func TestHeldClientsThatLeave(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 2, nil)
	_, waits := holder(t, s, "h:1")
	_ = waits.Close()
	awaitHeld(t, s, 0)
	many := dialServer(t, s)
	ask(t, many, "get h:1 x\r\n")
	awaitHeld(t, s, 1)
	_ = many.(*net.TCPConn).CloseWrite()
	exchange(t, many, "", "END\r\n")
	gone := dialServer(t, s)
	ask(t, gone, "get h:1 x\r\n")
	awaitHeld(t, s, 1)
	_ = gone.Close()
	awaitHeld(t, s, 0)
	maker, last := holder(t, s, "h:2")
	_ = maker.Close()
	exchange(t, last, "", "END\r\n") // it is the next maker
	_, stays := holder(t, s, "h:3")
	ended := make(chan struct{})
	go func() { s.Shutdown(); close(ended) }()
	exchange(t, stays, "", "END\r\n")
	<-ended
}

// A reload that replaces the pool lets who waits go on.
func TestReloadsEndHeldMisses(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 2, nil)
	_, waits := holder(t, s, "h:1")
	many := dialServer(t, s)
	ask(t, many, "get x h:1\r\n")
	awaitHeld(t, s, 2)
	next := s.shared.Config
	next.Pools = append([]config.Pool(nil), next.Pools...)
	next.Pools[0].HoldMisses = nil
	if err := s.Reload(next); err != nil {
		t.Fatal(err)
	}
	exchange(t, waits, "", "END\r\n")
	exchange(t, many, "", "END\r\n")
	exchange(t, waits, "get h:1\r\n", "END\r\n")
	expectCounts(t, s, 0, 1+1+2+1)
}

// The keys of a route wait as they are stored, and are answered as their clients have them.
func TestHeldKeysOfARoute(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 1, func(c *config.Config) {
		plain := c.Listeners[0].Routes[0]
		strips := plain
		strips.Prefix, strips.Strip = "s:", true
		c.Listeners[0].Routes = []config.Route{strips, plain}
	})
	for _, ask := range []struct{ get, miss, found string }{
		{"get s:h:1\r\n", "END\r\n", one("s:h:1", "x")},
		{"get x s:h:1\r\n", "END\r\n", one("s:h:1", "x")},
		{"mg s:h:1 k v\r\n", "EN ks:h:1\r\n", "VA 1 ks:h:1\r\nx\r\n"},
	} {
		maker, waits, late := dialServer(t, s), dialServer(t, s), dialServer(t, s)
		exchange(t, maker, "get h:1\r\n", "END\r\n")
		_, _ = waits.Write([]byte(ask.get))
		_, _ = late.Write([]byte(ask.get))
		awaitHeld(t, s, 2)
		exchange(t, late, "mn\r\n", ask.miss+"MN\r\n")
		exchange(t, maker, "set h:1 0 0 1\r\nx\r\n", "STORED\r\n")
		exchange(t, waits, "", ask.found)
		exchange(t, maker, "delete h:1\r\n", "DELETED\r\n")
	}
}

// A get that joins another one, of a key whose values are kept too, waits as that does.
func TestJoinedGetsAreHeld(t *testing.T) {
	t.Parallel()
	u := &slowStore{empty: true}
	s := newServer(1, playedUpstream(t, "unix", u.play))
	both := []byprefix.Duration{{Text: "n:", For: time.Hour}}
	s.shared.Config.Pools[0].Near, s.shared.Config.Pools[0].HoldMisses = both, both
	start(t, s)
	release := u.holds()
	defer release()
	first, second, third := dialServer(t, s), dialServer(t, s), dialServer(t, s)
	ask(t, first, "get n:slow\r\n")
	await(t, "the get to ask", func() bool { return counted(s, status.NearAsked) == 1 })
	ask(t, second, "get n:slow\r\n")
	ask(t, third, "get n:slow\r\n")
	await(t, "the others to join", func() bool { return counted(s, status.NearJoined) == 2 })
	release()
	exchange(t, first, "", "END\r\n")
	awaitHeld(t, s, 2)
	exchange(t, third, "mn\r\n", "END\r\nMN\r\n")
	u.mu.Lock()
	u.empty = false
	u.mu.Unlock()
	exchange(t, second, "", one("n:slow", "0")) // as a probe has found it
}

// A get that waits when the server goes down is answered when it asks again, or in time.
func TestServersThatFailWhileMissesAreHeld(t *testing.T) {
	t.Parallel()
	s, st := startHolding(t, 1, nil)
	maker, waits := holder(t, s, "h:1")
	many := dialServer(t, s)
	ask(t, many, "get x h:1\r\n")
	awaitHeld(t, s, 2)
	onLoops(s, func(l *front.Loop) { l.Pools.Members[0].First.Fail("is lost") })
	awaitUp(t, s)
	direct, err := st.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	exchange(t, direct, "set h:1 0 0 1\r\nx\r\n", "STORED\r\n")
	exchange(t, waits, "", one("h:1", "x"))
	exchange(t, many, "", one("h:1", "x"))
	exchange(t, maker, "get h:1\r\n", one("h:1", "x"))
}

// Thousands of gets of one key wait and are answered, in bounded memory.
func TestThousandsOfHeldGets(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 2, nil)
	maker := dialServer(t, s)
	exchange(t, maker, "get h:1\r\n", "END\r\n")
	const clients, gets = 250, 8 // of many more at once, a client would be asked to take some misses first
	var all []net.Conn
	for range clients {
		conn := dialServer(t, s)
		ask(t, conn, strings.Repeat("get h:1\r\n", gets))
		all = append(all, conn)
	}
	awaitHeld(t, s, clients*gets)
	exchange(t, maker, "set h:1 0 0 1\r\nx\r\n", "STORED\r\n")
	for _, conn := range all {
		ask(t, conn, "mn\r\n")
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		answered := ""
		for !strings.HasSuffix(answered, "MN\r\n") {
			answered += lineFrom(t, conn)
		}
		if n := strings.Count(answered, "END\r\n"); n != gets {
			t.Errorf("%d answers to %d gets", n, gets)
		}
	}
	awaitHeld(t, s, 0)
}
