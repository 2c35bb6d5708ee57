package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
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

// newSpacedServer returns a proxy with the namespace key:, in front of upstreams.
func newSpacedServer(t *testing.T, upstreams ...config.Upstream) *Server {
	t.Helper()
	s := newServer(1, upstreams...)
	pattern, err := namespace.ParsePattern("key:")
	if err != nil {
		t.Fatal(err)
	}
	s.shared.Config.Pools[0].Namespaces = namespace.Patterns{pattern}
	return s
}

// A flush waits until the first attempt to connect to each server has ended, and its client's next requests wait for it, also those for
// another server.
func TestFlushAwaitsConnections(t *testing.T) {
	t.Parallel()
	var order []string // is read when all is answered
	early := playedUpstream(t, "unix", func(conn net.Conn, words []string) {
		switch order = append(order, words[0]); words[0] {
		case "get":
			_, _ = io.WriteString(conn, generation+"END\r\n")
		default:
			_, _ = io.WriteString(conn, "HD\r\n")
		}
	})
	late := playedUpstream(t, "unix", func(conn net.Conn, _ []string) { _, _ = io.WriteString(conn, "HD\r\n") })
	may, dial := make(chan struct{}), late.Dial
	late.Dial = func(ctx context.Context) (net.Conn, error) { <-may; return dial(ctx) }
	s := newSpacedServer(t, early, late)
	s.shared.Config.Pools[0].ConnectTimeout = time.Minute
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	conn := dialServer(t, s)
	var key string
	onLoops(s, func(l *front.Loop) {
		p := l.Pools.Current[0]
		for n := 0; key == "" || p.Owner([]byte(key)) != p.All[0]; n++ {
			key = fmt.Sprint("key:", n)
		}
	})
	ask(t, conn, "nsflush key:\r\nget "+key+"\r\n")
	await(t, "the flush to begin", func() (begun bool) {
		onLoops(s, func(l *front.Loop) {
			for _, v := range l.Pools.Current[0].Stats.Verbs.Verbs {
				begun = begun || v.Calls > 0
			}
		})
		return begun
	})
	close(may)
	exchange(t, conn, "", "OK\r\nEND\r\n")
	if order[0] == "get" {
		t.Errorf("a get behind the flush overtook it: the server was asked %q", order)
	}
}
