package proxy

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

const noops = 3 * maxTurn

// Many requests that the proxy answers itself are spread over several turns of the loop, so that
// other clients are served in between.
func TestManyRequestsTakeSeveralTurns(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	conn := dialServer(t, s)
	exchange(t, conn, "version\r\n", "VERSION 1.6.38\r\n")
	onLoops(s, func(l *loop) {
		for c := range l.clients.all {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			l.wake(c) // it proceeds in this turn no more, whatever wakes it
		}
		l.goOn()
		if n := l.pools.current[0].Stats.Commands[protocol.MetaNoop]; n != maxTurn {
			t.Errorf("%d requests were carried out in one turn", n)
		}
	})
	if _, err := io.ReadFull(conn, make([]byte, noops*len("MN\r\n"))); err != nil {
		t.Fatal(err)
	}
	exchange(t, conn, "mn\r\n", "MN\r\n")
}

// Requests that take long though the proxy answers them itself, as they have long answers or many words,
// leave as much time to others as short ones.
func TestLongAnswersTakeMoreTurns(t *testing.T) {
	words := strings.Repeat(" k", 200)
	for _, test := range []struct {
		request string
		most    int // requests in one turn
		down    bool
	}{
		{"help\r\n", 8, false},
		{"help zincrby\r\n", maxTurn / verbEffort, false},
		{"get" + words + "\r\n", 6, true},
		{"sinter" + words + "\r\n", 6, true},
		{"sadd k" + words + " noreply\r\n", 6, true},
		{"nonsense" + words + "\r\n", maxTurn, false},
		{"smembers k" + words + "\r\n", maxTurn / verbEffort, false},
	} {
		s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
		conn := dialServer(t, s)
		exchange(t, conn, "version\r\n", "VERSION 1.6.38\r\n")
		onLoops(s, func(l *loop) {
			if test.down {
				l.pools.members[0].First.Fail("fails")
			}
			for c := range l.clients.all {
				c.Read([]byte(strings.Repeat(test.request, noops)))
				if n := noops - c.input.pending()/len(test.request); n == 0 || n > test.most {
					t.Errorf("%.20q: %d requests were carried out in one turn, expected at most %d", test.request, n, test.most)
				}
				c.abort()
			}
		})
	}
}

// When an upstream fails, so do the requests that wait for it, and those that follow at once. They are spread over
// several turns too, though each that fails lets the client go on.
func TestManyFailuresTakeSeveralTurns(t *testing.T) {
	for _, request := range []string{"lpop k\r\n", "sadd k x noreply\r\n"} {
		s := startServer(t, 1, cannedUpstream(t, nil))
		for range 20 {
			exchange(t, dialServer(t, s), "version\r\n", "VERSION 1.6.38\r\n")
		}
		onLoops(s, func(l *loop) {
			for c := range l.clients.all {
				c.Read([]byte(strings.Repeat(request, 20*maxTurn)))
				for c.input.waiting == nil {
					l.goOn()
					l.endRests()
				}
				c.pace.effort = 0
			}
			l.pools.members[0].First.Fail("fails")
			l.goOn()
			for c := range l.clients.all {
				if c.pace.effort == 0 || c.pace.effort > maxTurn+verbEffort {
					t.Errorf("%q: %d was carried out in one turn, expected 1 to %d", request, c.pace.effort, maxTurn)
				}
			}
		})
	}
}

// Many clients that send many requests share the turns of the loop.
func TestManyClientsShareATurn(t *testing.T) {
	const clients = 100
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	var conns []net.Conn
	for range clients {
		conn := dialServer(t, s)
		exchange(t, conn, "version\r\n", "VERSION 1.6.38\r\n")
		conns = append(conns, conn)
	}
	carried := func(l *loop) uint64 { return l.pools.current[0].Stats.Commands[protocol.MetaNoop] }
	onLoops(s, func(l *loop) {
		l.endRests() // begins a turn
		for c := range l.clients.all {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
		}
		l.goOn()
		full := uint64(fullTurn + (clients-fullTurn/maxTurn)*lateTurn)
		if n := carried(l); n != full {
			t.Errorf("%d requests were carried out in the first turn, expected %d", n, full)
		}
		before := map[*client]int{}
		for c := range l.clients.all {
			before[c] = len(c.input.bytes) - c.input.offset
		}
		l.endRests()
		for c := range l.clients.all {
			if n := (before[c] - len(c.input.bytes) + c.input.offset) / len("mn\r\n"); n != fullTurn/clients {
				t.Errorf("a client had %d requests in the second turn, expected %d", n, fullTurn/clients)
			}
		}
	})
	for _, conn := range conns {
		if _, err := io.ReadFull(conn, make([]byte, noops*len("MN\r\n"))); err != nil {
			t.Fatal(err)
		}
	}
}

// A client that stops sending while it rests gets all of its answers.
func TestClientStopsSendingWhileItRests(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	conn := dialServer(t, s)
	if _, err := io.WriteString(conn, strings.Repeat("mn\r\n", noops)); err != nil {
		t.Fatal(err)
	}
	if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answers, err := io.ReadAll(conn)
	if want := strings.Repeat("MN\r\n", noops); err != nil || string(answers) != want {
		t.Errorf("got %d bytes of %d, %v", len(answers), len(want), err)
	}
}

// A client that leaves while it rests leaves nothing.
func TestClientLeavesWhileItRests(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	dialServer(t, s)
	await(t, "a client", func() bool { clients, _ := heldBy(s); return clients > 0 })
	onLoops(s, func(l *loop) {
		for c := range l.clients.all {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			c.abort()
		}
	})
	await(t, "nothing to be left", func() bool {
		clients, buffers := heldBy(s)
		return clients == 0 && buffers == 0
	})
}

// What follows each state of a pace for each event.
func TestPaceStates(t *testing.T) {
	t.Parallel()
	for i, follows := range [...]struct{ waits, wakes, turnEnds paceState }{
		flowing: {blocked, flowing, flowing},
		blocked: {blocked, flowing, blocked},
		resting: {resting, resting, blocked},
	} {
		state := paceState(i)
		if next := state.waits(); next != follows.waits {
			t.Errorf("state %d, a request has to wait: state %d follows, expected %d", i, next, follows.waits)
		}
		if next := state.wakes(); next != follows.wakes {
			t.Errorf("state %d, the client is woken: state %d follows, expected %d", i, next, follows.wakes)
		}
		if next := state.turnEnds(); next != follows.turnEnds {
			t.Errorf("state %d, the turn ends: state %d follows, expected %d", i, next, follows.turnEnds)
		}
	}
}
