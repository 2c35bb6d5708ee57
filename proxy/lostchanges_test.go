package proxy

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// losing is a server to which a connection of the proxy's loses what is sent, when it is told to.
type losing struct {
	*store
	latest atomic.Pointer[lossy] // connection
}

func (s *losing) serve(conn net.Conn) {
	to, err := s.Dial()
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(conn, to)
		_ = conn.Close()
	}()
	l := &lossy{to: to}
	s.latest.Store(l)
	_, _ = io.Copy(l, conn)
	_ = to.Close()
}

// lossy writes to the server what is not lost.
type lossy struct {
	to    net.Conn
	loses atomic.Bool
}

func (l *lossy) Write(p []byte) (int, error) {
	if l.loses.Load() {
		return len(p), nil
	}
	return l.to.Write(p)
}

// A change that was sent, and lost without a reply, leaves no older value. Commands that change a part of an
// item leave it as it is.
func TestChangesThatAreLostInFlight(t *testing.T) {
	server := &losing{store: newStore(t, "store")}
	s := newServer(1, servedUpstream(t, "unix", server.serve))
	s.shared.Config.Pools[0].OnReturn = upstream.Delete
	start(t, s)
	lost := []string{
		"set %s 0 0 1\r\nn\r\n", "set %s 0 0 1 noreply\r\nn\r\n", "replace %s 0 0 1\r\nn\r\n", "cas %s 0 0 1 1\r\nn\r\n", "delete %s\r\n",
		"ms %s 1\r\nn\r\n", "ms %s 1 q\r\nn\r\n", "md %s\r\n", "md %s q\r\n",
	}
	stay := []string{"append %s 0 0 1\r\nn\r\n", "incr %s 1\r\n", "touch %s 0\r\n", "add %s 0 0 1\r\nn\r\n", "ma %s\r\n", "get %s\r\n"}
	direct := server.dial(t)
	var get, left strings.Builder
	get.WriteString("get")
	for i := range len(lost) + len(stay) {
		exchange(t, direct, fmt.Sprintf("set k%d 0 0 1\r\n7\r\n", i), "STORED\r\n")
		if fmt.Fprintf(&get, " k%d", i); i >= len(lost) {
			fmt.Fprintf(&left, "VALUE k%d 0 1\r\n7\r\n", i)
		}
	}
	server.latest.Load().loses.Store(true)
	for i, request := range append(lost, stay...) {
		ask(t, dialServer(t, s), fmt.Sprintf(request, fmt.Sprintf("k%d", i)))
	}
	await(t, "the requests to be sent", func() (sent bool) {
		onLoops(s, func(l *front.Loop) { sent = l.Pools.Members[0].InFlight() >= len(lost)+len(stay) })
		return sent
	})
	onLoops(s, func(l *front.Loop) { l.Pools.Members[0].First.Fail("is lost") })
	await(t, "the return", func() bool {
		up := false
		onLoops(s, func(l *front.Loop) { up = l.Pools.Members[0].State == upstream.Up })
		return up
	})
	exchange(t, direct, get.String()+"\r\n", left.String()+"END\r\n")
	if c := s.shared.Setup.Load().Pools[0].Remotes[0].Outdated(); c.Deleted != uint64(len(lost)) || c.Remembered != 0 {
		t.Errorf("%+v, expected %d keys to be deleted", c, len(lost))
	}
}
