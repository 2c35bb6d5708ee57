package proxy

import (
	"io"
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
		for c := range l.clients {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			l.wake(c) // it proceeds in this turn no more, whatever wakes it
		}
		l.goOn()
		if n := l.pools[0].stats.commands[protocol.MetaNoop]; n != maxTurn {
			t.Errorf("%d requests were carried out in one turn", n)
		}
	})
	if _, err := io.ReadFull(conn, make([]byte, noops*len("MN\r\n"))); err != nil {
		t.Fatal(err)
	}
	exchange(t, conn, "mn\r\n", "MN\r\n")
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
		for c := range l.clients {
			c.Read([]byte(strings.Repeat("mn\r\n", noops)))
			c.abort()
		}
	})
	await(t, "nothing to be left", func() bool {
		clients, buffers := heldBy(s)
		return clients == 0 && buffers == 0
	})
}
