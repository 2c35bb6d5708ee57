package proxy

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// steadyUpstream is a server whose values of keys that begin with "big" have size bytes, of which it
// sends piece bytes after each pause; other keys it answers at once.
func steadyUpstream(t *testing.T, size, piece int, pause time.Duration) config.Upstream {
	t.Helper()
	return playedUpstream(t, "tcp", func(conn net.Conn, words []string) {
		reply := retrieved(words, size)
		if !strings.Contains(strings.Join(words, " "), "big") {
			_, _ = io.WriteString(conn, reply)
			return
		}
		pace := time.NewTicker(pause)
		defer pace.Stop()
		for reply != "" {
			n := min(len(reply), piece)
			if _, err := io.WriteString(conn, reply[:n]); err != nil {
				return
			}
			reply = reply[n:]
			<-pace.C
		}
	})
}

// retrieved returns the reply to a retrieval.
func retrieved(words []string, size int) string {
	if words[0] == "mg" {
		return fmt.Sprintf("VA %d\r\n%s\r\n", size, strings.Repeat("v", size))
	}
	reply, cas := "", ""
	if words[0] == "gets" {
		cas = " 1"
	}
	for _, key := range words[1:] {
		switch {
		case strings.HasPrefix(key, "big"):
			reply += itemOf(key, size, cas)
		case key != "0":
			reply += itemOf(key, 5, cas)
		}
	}
	return reply + "END\r\n"
}

func itemOf(key string, size int, cas string) string {
	return fmt.Sprintf("VALUE %s 0 %d%s\r\n%s\r\n", key, size, cas, strings.Repeat("v", size))
}

// A reply that takes several time-outs, and those behind it, arrive, as long as it does so steadily.
func TestSlowReplyIsNoSilence(t *testing.T) {
	t.Parallel()
	const size = 400_000
	answer := append([]byte{0x81, 23: 1}, "\x00\x00\x00\x00"+strings.Repeat("v", size)...)
	answer[4] = 4
	binary.BigEndian.PutUint32(answer[8:], size+4)
	for _, test := range []struct{ name, request, reply string }{
		{"get", "get big\r\n", itemOf("big", size, "") + "END\r\n"},
		{"gat", "gat 0 big\r\n", itemOf("big", size, "") + "END\r\n"},
		{"mg", "mg big v\r\n", fmt.Sprintf("VA %d\r\n%s\r\n", size, strings.Repeat("v", size))},
		{"several keys", "get big1 small big2\r\n", itemOf("big1", size, "") + itemOf("small", 5, "") + itemOf("big2", size, "") + "END\r\n"},
		{"binary", packet(0, "", "big", ""), string(answer)},
		{"pipelined", "get big\r\nget small\r\n", itemOf("big", size, "") + "END\r\n" + itemOf("small", 5, "") + "END\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(1, steadyUpstream(t, size, 40_000, 50*time.Millisecond))
			s.shared.Config.Pools[0].Timeout, s.shared.Config.Drain = 150*time.Millisecond, 100*time.Millisecond
			start(t, s)
			conn := dialServer(t, s)
			_ = conn.SetDeadline(time.Now().Add(patience))
			if _, err := io.WriteString(conn, test.request); err != nil {
				t.Fatal(err)
			}
			came := make([]byte, len(test.reply))
			if n, err := io.ReadFull(conn, came); string(came) != test.reply {
				t.Errorf("%d bytes of %d came (%v), which begin with %.60q", n, len(came), err, came)
			}
			if n := connections(s); n != 1 {
				t.Errorf("there were %d connections", n)
			}
		})
	}
}

// A large reply that hardly arrives is given up, also if it has begun to be passed on, and so are
// those behind it.
func TestTricklingReplyIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, piece := range []int{1, 200} {
		t.Run(fmt.Sprint(piece), func(t *testing.T) {
			t.Parallel()
			s := newServer(1, steadyUpstream(t, 900_000, piece, 5*time.Millisecond))
			s.shared.Config.Pools[0].Timeout, s.shared.Config.Drain = 100*time.Millisecond, 100*time.Millisecond
			start(t, s)
			one, other := dialServer(t, s), dialServer(t, s)
			if _, err := io.WriteString(one, "get big\r\n"); err != nil {
				t.Fatal(err)
			}
			// If it is given up before it has begun to be passed on, the client is told so and may stay.
			if err := one.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			await(t, "the request to be sent", func() (sent bool) {
				onLoops(s, func(l *front.Loop) { sent = l.Pools.Current[0].All[0].InFlight() > 0 })
				return sent
			})
			if _, err := io.WriteString(other, "get big\r\n"); err != nil {
				t.Fatal(err)
			}
			if came, err := io.ReadAll(one); err != nil || len(came) == 0 || len(came) > 500_000 {
				t.Errorf("%d bytes came (%v) of a value whose server trickles", len(came), err)
			}
			expectRefusal(t, bufio.NewReader(other), "did not answer within 100ms")
		})
	}
}

// While the rest of a large reply is awaited, whatever others ask for goes another way.
func TestSmallRepliesPassALargeOne(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s := startServer(t, 1, playedUpstream(t, "tcp", func(conn net.Conn, words []string) {
		switch {
		case words[1] == "big":
			reply := itemOf("big", 900_000, "") + "END\r\n"
			_, _ = io.WriteString(conn, reply[:500_000])
			<-gate
			_, _ = io.WriteString(conn, reply[500_000:])
		case words[0] == "get":
			_, _ = io.WriteString(conn, "END\r\n")
		case words[0] == "mg":
			_, _ = io.WriteString(conn, "EN\r\n")
		default:
			_, _ = io.WriteString(conn, "NOT_FOUND\r\n")
		}
	}))
	one := dialServer(t, s)
	if _, err := io.WriteString(one, "get big\r\n"); err != nil {
		t.Fatal(err)
	}
	await(t, "the second connection", func() (ready bool) {
		onLoops(s, func(l *front.Loop) {
			u := l.Pools.Current[0].All[0]
			ready = u.First.Clogged() && u.Bulk.Ready()
		})
		return ready
	})
	for _, test := range []struct{ request, reply string }{
		{"get a\r\n", "END\r\n"},
		{"get a b\r\n", "END\r\n"},
		{"mg a v\r\n", "EN\r\n"},
		{"delete a\r\n", "NOT_FOUND\r\n"},
		{"incr a 1\r\n", "NOT_FOUND\r\n"},
		{"get a\r\ndelete a\r\nget a\r\n", "END\r\nNOT_FOUND\r\nEND\r\n"},
	} {
		exchange(t, dialServer(t, s), test.request, test.reply)
	}
	close(gate)
	if n, err := io.ReadFull(one, make([]byte, len(itemOf("big", 900_000, "")+"END\r\n"))); err != nil {
		t.Errorf("%d bytes of the large reply came (%v)", n, err)
	}
}
