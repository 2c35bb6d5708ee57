package proxy

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/front"
)

// A second Shutdown closes nothing: the descriptors of the server may be others' by then.
func TestShutdownTwice(t *testing.T) {
	s := startServer(t, 2, cannedUpstream(t, []byte("END\r\n")))
	s.Shutdown()
	var files []*os.File
	for range 64 {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = in.Close(), out.Close() }()
		files = append(files, out)
	}
	s.Shutdown()
	for _, f := range files {
		if _, err := f.WriteString("x"); err != nil {
			t.Errorf("a file that was opened after the first Shutdown: %v", err)
		}
	}
}

// While a client that takes long is waited for, others can connect, and get what they ask for first.
func TestClientsThatComeWhileOthersAreWaitedFor(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s := newServer(2, playedUpstream(t, "unix", func(conn net.Conn, words []string) {
		if words[1] == "slow" {
			<-gate
		}
		_, _ = io.WriteString(conn, "END\r\n")
	}))
	s.shared.Config.Drain = 20 * time.Second
	start(t, s)
	slow := dialServer(t, s)
	ask(t, slow, "get slow\r\n")
	awaitInFlight(t, s)
	ended := make(chan struct{})
	go func() { s.Shutdown(); close(ended) }()
	await(t, "the shutdown to begin", s.shared.Draining.Load)
	for range 20 {
		conn := dialServer(t, s)
		ask(t, conn, "version\r\n")
		if said, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(said), "VERSION ") {
			t.Fatalf("a client that has come during the shutdown got %q (%v)", said, err)
		}
	}
	close(gate)
	exchange(t, slow, "", "END\r\n")
	<-ended
	if conn, err := net.Dial("tcp", s.Addrs()[0].String()); err == nil {
		_ = conn.Close()
		t.Error("it still listens after the shutdown")
	}
}

func awaitInFlight(t *testing.T, s *Server) {
	t.Helper()
	await(t, "the request to be sent", func() (sent bool) {
		onLoops(s, func(l *front.Loop) { sent = sent || l.InFlight() > 0 })
		return sent
	})
}
