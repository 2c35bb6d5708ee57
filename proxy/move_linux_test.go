package proxy

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/listen"
)

// pipes returns how many ends of pipes are open.
func pipes(t *testing.T) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if to, _ := os.Readlink(file); strings.HasPrefix(to, "pipe:") {
			n++
		}
	}
	return n
}

// The rest of a large value is moved through a pipe to a client that reads. One that does not read yet gets
// everything when it does, in order with what follows, and meanwhile others are answered on the same connection.
func TestLargeValueIsMoved(t *testing.T) {
	const size = 900_000
	value := "VALUE k 0 900000\r\n" + numbers[:size] + "\r\nEND\r\n"
	s := newServer(1, playedUpstream(t, "unix", func(conn net.Conn, words []string) {
		_, _ = io.WriteString(conn, map[bool]string{true: value, false: "END\r\n"}[words[1] == "k"])
	}))
	s.shared.Config.Listeners[0].Address = listen.Address{Network: "unix", Address: filepath.Join(t.TempDir(), "proxy")}
	start(t, s)
	dial := func() net.Conn {
		conn, err := net.Dial("unix", s.Addrs()[0].String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	before := pipes(t)
	slow := dial()
	if _, err := io.WriteString(slow, "get k\r\nget none\r\n"); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(slow)
	if _, err := in.Peek(1); err != nil {
		t.Fatal(err)
	}
	exchange(t, dial(), "get none\r\n", "END\r\n")
	exchange(t, dial(), "get k\r\n", value)
	if got := pipes(t) - before; got != 2 {
		t.Errorf("%d ends of pipes were opened, expected 2", got)
	}
	got := make([]byte, len(value)+len("END\r\n"))
	if _, err := io.ReadFull(in, got); err != nil || string(got) != value+"END\r\n" {
		t.Errorf("the client that has waited got something else (%v)", err)
	}
	s.Shutdown()
	if got := pipes(t); got != before {
		t.Errorf("%d ends of pipes are open after the end, and were %d before", got, before)
	}
}
