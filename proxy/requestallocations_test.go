//go:build !race

// Under the race detector, a sync.Pool loses some of what it is given.

package proxy

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/status"
)

// Requests on keys in a namespace allocate nothing, as long as their queues are kept.
func TestRequestsInNamespacesAllocateNothing(t *testing.T) {
	s := start(t, newSpacedServer(t, servedUpstream(t, "unix", answerInSpace)))
	allocateNothing(t, s, map[string]string{
		"get key:12345\r\n":                one("key:12345", "value"),
		"set key:12345 0 0 5\r\nvalue\r\n": "STORED\r\n",
	})
}

// Gets that would wait if they missed allocate nothing if they don't.
func TestHeldGetsThatHitAllocateNothing(t *testing.T) {
	s := newServer(1, servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		in, out := bufio.NewReader(conn), bufio.NewWriter(conn)
		for {
			line, err := in.ReadSlice('\n')
			switch {
			case err != nil:
				return
			case bytes.HasPrefix(line, []byte("version")):
				_, _ = out.WriteString("VERSION 1.6.38\r\n")
			case bytes.HasPrefix(line, []byte("stats")):
				_, _ = out.WriteString("END\r\n")
			default:
				_, _ = out.WriteString("VALUE h:12345 0 5\r\nvalue\r\nEND\r\n")
			}
			if in.Buffered() == 0 {
				_ = out.Flush()
			}
		}
	}))
	s.shared.Config.Pools[0].HoldMisses = []byprefix.Duration{{Text: "h:", For: time.Hour}}
	allocateNothing(t, start(t, s), map[string]string{"get h:12345\r\n": one("h:12345", "value")})
}

// What a loop has read of a structure is told again and again without an allocation.
func TestVerbsFromMemoryAllocateNothing(t *testing.T) {
	s := newServer(1, playedUpstream(t, "unix", func(conn net.Conn, words []string) {
		key := words[1]
		item := map[string]string{"n:s": "+a +b ", "n:r": "z=7:a z=9:b "}[key]
		switch {
		case words[0] != "mg":
			_, _ = fmt.Fprintf(conn, "VALUE %s 0 %d 7\r\n%s\r\nEND\r\n", key, len(item), item)
		case words[2] == "v":
			_, _ = fmt.Fprintf(conn, "VA %d c7 f0 t-1 s%d k%s\r\n%s\r\n", len(item), len(item), key, item)
		default:
			_, _ = fmt.Fprintf(conn, "HD c7 f0 t-1 s%d k%s\r\n", len(item), key)
		}
	}))
	s.shared.Config.Pools[0].Near = []byprefix.Duration{{Text: "n:", For: time.Hour}}
	allocateNothing(t, start(t, s), map[string]string{
		"sismember n:s b c\r\n":            "1 0\r\n",
		"scard n:s\r\n":                    "2\r\n",
		"zrevrange n:r 0 1 withscores\r\n": "VALUE n:r 0 3\r\nb 9\r\nEND\r\n",
	})
}

// Gets that a shadow is asked for, too, allocate nothing.
func TestShadowedGetsAllocateNothing(t *testing.T) {
	reply := []byte("VALUE key:12345 0 5\r\nvalue\r\nEND\r\n")
	s := startShadowed(t, newShadowed(cannedUpstream(t, reply), cannedUpstream(t, reply)))
	allocateNothing(t, s, map[string]string{"get key:12345\r\n": one("key:12345", "value")})
	await(t, "the gets to be compared", func() bool {
		counts := shadowCounts(s, 1)
		return counts[0] > 0 && counts[status.ShadowInBoth-status.ShadowSent] == counts[0]
	})
}

// allocateNothing checks that requests allocate nothing once what they need is kept. exchanges are requests and their replies.
func allocateNothing(t *testing.T, s *Server, exchanges map[string]string) {
	t.Helper()
	conn := dialServer(t, s)
	for request, reply := range exchanges {
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
