package proxy

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/front"
)

const noops = 3 * front.MostInTurn

// Many requests that the proxy answers itself are spread over several turns of the loop, so that
// other clients are served in between.
func TestManyRequestsTakeSeveralTurns(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	conn := dialServer(t, s)
	exchange(t, conn, "version\r\n", "VERSION 1.6.38\r\n")
	onLoops(s, func(l *front.Loop) {
		for c := range l.Clients.All {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			l.Wake(c) // it proceeds in this turn no more, whatever wakes it
		}
		l.GoOn()
		if n := l.Pools.Current[0].Stats.Commands[protocol.MetaNoop]; n != front.MostInTurn {
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
		{"help zincrby\r\n", front.MostInTurn / front.EffortOfVerb, false},
		{"get" + words + "\r\n", 6, true},
		{"sinter" + words + "\r\n", 6, true},
		{"sadd k" + words + " noreply\r\n", 6, true},
		{"nonsense" + words + "\r\n", front.MostInTurn, false},
		{"smembers k" + words + "\r\n", front.MostInTurn / front.EffortOfVerb, false},
	} {
		s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
		conn := dialServer(t, s)
		exchange(t, conn, "version\r\n", "VERSION 1.6.38\r\n")
		onLoops(s, func(l *front.Loop) {
			if test.down {
				l.Pools.Members[0].First.Fail("fails")
			}
			for c := range l.Clients.All {
				c.Read([]byte(strings.Repeat(test.request, noops)))
				left, _ := c.Unserved()
				if n := noops - left/len(test.request); n == 0 || n > test.most {
					t.Errorf("%.20q: %d requests were carried out in one turn, expected at most %d", test.request, n, test.most)
				}
				c.End()
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
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				c.Read([]byte(strings.Repeat(request, 20*front.MostInTurn)))
				for _, read := c.Unserved(); !read; _, read = c.Unserved() {
					l.GoOn()
					l.BeginTurn()
				}
				c.ForgetEffort()
			}
			l.Pools.Members[0].First.Fail("fails")
			l.GoOn()
			for c := range l.Clients.All {
				if c.Effort() == 0 || c.Effort() > front.MostInTurn+front.EffortOfVerb {
					t.Errorf("%q: %d was carried out in one turn, expected 1 to %d", request, c.Effort(), front.MostInTurn)
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
	carried := func(l *front.Loop) uint64 { return l.Pools.Current[0].Stats.Commands[protocol.MetaNoop] }
	onLoops(s, func(l *front.Loop) {
		l.BeginTurn() // begins a turn
		for c := range l.Clients.All {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
		}
		l.GoOn()
		full := uint64(front.MostInFullTurn + (clients-front.MostInFullTurn/front.MostInTurn)*front.MostOfLateInput)
		if n := carried(l); n != full {
			t.Errorf("%d requests were carried out in the first turn, expected %d", n, full)
		}
		before := map[*front.Client]int{}
		for c := range l.Clients.All {
			before[c], _ = c.Unserved()
		}
		l.BeginTurn()
		for c := range l.Clients.All {
			left, _ := c.Unserved()
			if n := (before[c] - left) / len("mn\r\n"); n != front.MostInFullTurn/clients {
				t.Errorf("a client had %d requests in the second turn, expected %d", n, front.MostInFullTurn/clients)
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
	onLoops(s, func(l *front.Loop) {
		for c := range l.Clients.All {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			c.End()
		}
	})
	await(t, "nothing to be left", func() bool {
		clients, buffers := heldBy(s)
		return clients == 0 && buffers == 0
	})
}
