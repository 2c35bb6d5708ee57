package proxy

import (
	"bufio"
	"net"
	"sync/atomic"
	"testing"
)

// A server that closes the connection before it answers may speak TLS, or be another kind of server; but not one
// that has answered before, and is just being stopped or killed.
func TestNoAdviceOnAServerThatHasAnswered(t *testing.T) {
	var stopping atomic.Bool
	var closed atomic.Int64
	u := servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		in := bufio.NewReader(conn)
		if stopping.Load() {
			_, _ = in.ReadSlice('\n')
			closed.Add(1)
		} else if greet(conn, in) {
			_, _ = in.ReadSlice('\n')
		}
	})
	s := startServer(t, 1, u)
	stopping.Store(true)
	exchange(t, dialServer(t, s), "get k\r\n", "SERVER_ERROR upstream "+u.Name+" closed the connection\r\n")
	await(t, "two attempts to fail", func() bool { return closed.Load() > 2 }) // the third follows them
	if why := s.shared.Setup.Load().Pools[0].Remotes[0].Outage().Reason; why != "closed the connection" {
		t.Errorf("the reason is %q", why)
	}
}
