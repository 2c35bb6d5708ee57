package front

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

const noops = 3 * clientEffort

// Many requests that the proxy answers itself are spread over several turns of the loop, so that
// other clients are served in between.
func TestManyRequestsTakeSeveralTurns(t *testing.T) {
	t.Parallel()
	f := startLoop(t, "END\r\n")
	c, conn := f.client(t)
	f.on(func(l *Loop) {
		c.Read([]byte(strings.Repeat("mn\r\n", noops)))
		l.wake(c) // it proceeds in this turn no more, whatever wakes it
		l.goOn()
		if n := l.Pools.Current[0].Stats.Commands[protocol.MetaNoop]; n != clientEffort {
			t.Errorf("%d requests were carried out in one turn", n)
		}
	})
	exchange(t, conn, "", strings.Repeat("MN\r\n", noops))
	exchange(t, conn, "mn\r\n", "MN\r\n")
}

// Requests that take long though the proxy answers them itself, as they have long answers or many words,
// leave as much time to others as short ones.
func TestLongAnswersTakeMoreTurns(t *testing.T) {
	t.Parallel()
	words := strings.Repeat(" k", 200)
	for _, test := range []struct {
		request string
		most    int // requests in one turn
		down    bool
	}{
		{"help\r\n", 8, false},
		{"help zincrby\r\n", clientEffort / verbEffort, false},
		{"get" + words + "\r\n", 6, true},
		{"sinter" + words + "\r\n", 6, true},
		{"sadd k" + words + " noreply\r\n", 6, true},
		{"nonsense" + words + "\r\n", clientEffort, false},
		{"smembers k" + words + "\r\n", clientEffort / verbEffort, false},
	} {
		f := startLoop(t, "END\r\n")
		c, _ := f.client(t)
		f.on(func(l *Loop) {
			if test.down {
				l.Pools.Members[0].First.Fail("fails")
			}
			c.Read([]byte(strings.Repeat(test.request, noops)))
			left := c.input.pending()
			if n := noops - left/len(test.request); n == 0 || n > test.most {
				t.Errorf("%.20q: %d requests were carried out in one turn, expected at most %d", test.request, n, test.most)
			}
			c.abort()
		})
	}
}

// When an upstream fails, so do the requests that wait for it, and those that follow at once. They are spread over
// several turns too, though each that fails lets the client go on.
func TestManyFailuresTakeSeveralTurns(t *testing.T) {
	t.Parallel()
	for _, request := range []string{"lpop k\r\n", "sadd k x noreply\r\n"} {
		f := startLoop(t, "")
		for range 20 {
			f.client(t)
		}
		f.on(func(l *Loop) {
			for c := range l.Clients.All {
				c.Read([]byte(strings.Repeat(request, 20*clientEffort)))
				for c.input.waiting() == nil {
					l.goOn()
					l.endRests() // another turn begins
				}
				c.pace.effort = 0
			}
			l.Pools.Members[0].First.Fail("fails")
			l.goOn()
			for c := range l.Clients.All {
				if c.pace.effort == 0 || c.pace.effort > clientEffort+verbEffort {
					t.Errorf("%q: %d was carried out in one turn, expected 1 to %d", request, c.pace.effort, clientEffort)
				}
			}
		})
	}
}

// Many clients that send many requests share the turns of the loop.
func TestManyClientsShareATurn(t *testing.T) {
	t.Parallel()
	const clients = 100
	f := startLoop(t, "END\r\n")
	var conns []net.Conn
	for range clients {
		_, conn := f.client(t)
		conns = append(conns, conn)
	}
	f.on(func(l *Loop) {
		l.endRests() // a turn begins
		for c := range l.Clients.All {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
		}
		l.goOn()
		full := uint64(fullEffort + (clients-fullEffort/clientEffort)*lateEffort)
		if n := l.Pools.Current[0].Stats.Commands[protocol.MetaNoop]; n != full {
			t.Errorf("%d requests were carried out in the first turn, expected %d", n, full)
		}
		before := map[*Client]int{}
		for c := range l.Clients.All {
			before[c] = c.input.pending()
		}
		l.endRests()
		for c, n := range before {
			if n := (n - c.input.pending()) / len("mn\r\n"); n != fullEffort/clients {
				t.Errorf("a client had %d requests in the second turn, expected %d", n, fullEffort/clients)
			}
		}
	})
	for _, conn := range conns {
		exchange(t, conn, "", strings.Repeat("MN\r\n", noops))
	}
}

// A client that stops sending while it rests gets all of its answers.
func TestClientStopsSendingWhileItRests(t *testing.T) {
	t.Parallel()
	_, conn := startLoop(t, "END\r\n").client(t)
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
	t.Parallel()
	f := startLoop(t, "END\r\n")
	c, _ := f.client(t)
	f.on(func(*Loop) {
		c.Read([]byte(strings.Repeat("mn\r\n", noops)))
		c.abort()
	})
	f.await(t, "nothing to be left", func() bool {
		return len(f.loop.Clients.All)+len(f.loop.Clients.Leaving) == 0 && f.loop.Buffers.InUse() == 0
	})
}

// A reload does not cost a client its connection if its incomplete request is given up after that.
func TestGivenUpAfterAReload(t *testing.T) {
	t.Parallel()
	f := startLoop(t, "END\r\n")
	c, conn := f.client(t)
	const size = 100_000
	if _, err := io.WriteString(conn, "add k 0 0 100000\r\n"+strings.Repeat("v", size/2)); err != nil {
		t.Fatal(err)
	}
	f.await(t, "half of the value to have arrived", func() bool { return c.input.pending() > size/2 })
	f.on(func(*Loop) {
		c.reroute()
		c.giveUp()
	})
	exchange(t, conn, "", "SERVER_ERROR out of memory storing object\r\n")
	exchange(t, conn, strings.Repeat("v", size-size/2)+"\r\nget k\r\n", "END\r\n")
}
