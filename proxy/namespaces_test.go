package proxy

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/namespace"
)

// generation is that of key: on a server of which answerInSpace is the part.
const generation = "VALUE key: 0 8\r\nAAAAAAAA\r\n"

// answerInSpace plays a server with a generation and one item under it, and allocates nothing.
func answerInSpace(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in, out := bufio.NewReader(conn), bufio.NewWriter(conn)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		switch {
		case bytes.HasPrefix(line, []byte("version")):
			_, _ = out.WriteString("VERSION 1.6.38\r\n")
		case bytes.HasPrefix(line, []byte("get key:AAAAAAAA")):
			_, _ = out.WriteString("VALUE key:AAAAAAAA12345 0 5\r\nvalue\r\n" + generation + "END\r\n")
		case bytes.HasPrefix(line, []byte("get key:")):
			_, _ = out.WriteString(generation + "END\r\n")
		case bytes.HasPrefix(line, []byte("set")):
		case bytes.HasPrefix(line, []byte("stats")):
			_, _ = out.WriteString("END\r\n")
		default: // the data of a set
			_, _ = out.WriteString("STORED\r\n")
		}
		if in.Buffered() == 0 {
			_ = out.Flush()
		}
	}
}

// Requests on keys in a namespace allocate nothing, as long as their queues are kept.
func TestRequestsInNamespacesAllocateNothing(t *testing.T) {
	s := newServer(1, servedUpstream(t, "unix", answerInSpace))
	pattern, err := namespace.ParsePattern("key:")
	if err != nil {
		t.Fatal(err)
	}
	s.shared.Config.Pools[0].Namespaces = namespace.Patterns{pattern}
	start(t, s)
	conn := dialServer(t, s)
	for request, reply := range map[string]string{
		"get key:12345\r\n":                one("key:12345", "value"),
		"set key:12345 0 0 5\r\nvalue\r\n": "STORED\r\n",
	} {
		const depth = 32
		requests, want := []byte(strings.Repeat(request, depth)), strings.Repeat(reply, depth)
		got := make([]byte, len(want))
		ask := func() {
			if _, err := conn.Write(requests); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conn, got); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 { // first, nothing is kept
			ask()
		}
		if string(got) != want {
			t.Fatalf("answered %.200q, expected %.200q", got, want)
		}
		if n := testing.AllocsPerRun(500, ask); n > 0 {
			t.Errorf("%.0f allocations for %d times %q", n, depth, request)
		}
	}
}
