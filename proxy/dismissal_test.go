package proxy

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

const shortReply = "VALUE k 0 1\r\nx\r\nEND\r\n"

// dismissing is a server that never cuts off clients during a test, and hurries them after some
// time.
func dismissing(t *testing.T, upstream config.Upstream, lastRequests time.Duration) *Server {
	t.Helper()
	s := newServer(1, upstream)
	s.shared.Config.Drain, s.shared.Pauses.LastRequests = time.Minute, lastRequests
	start(t, s)
	return s
}

// shutdown begins a shutdown, and waits until clients are dismissed. ended is closed at its end.
func shutdown(t *testing.T, s *Server) (ended chan struct{}) {
	t.Helper()
	ended = make(chan struct{})
	go func() { s.Shutdown(); close(ended) }()
	await(t, "the clients to be dismissed", func() bool {
		dismissed := s.shared.Draining.Load()
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				dismissed = dismissed && c.IsLeaving()
			}
		})
		return dismissed
	})
	return ended
}

// wholeReplies fails the test unless data is some replies, and returns how many.
func wholeReplies(t *testing.T, data []byte, err error, reply string) int {
	t.Helper()
	if err != nil {
		t.Fatalf("after %d bytes: %v, expected the end of the connection", len(data), err)
	}
	n := len(data) / len(reply)
	if !bytes.Equal(data, bytes.Repeat([]byte(reply), n)) {
		t.Fatalf("%d bytes are not %d replies of %d", len(data), n, len(reply))
	}
	return n
}

// A client that pipelines without a pause, and reads slowly, is closed at the end of a reply.
func TestDismissedWithoutPause(t *testing.T) {
	t.Parallel()
	value := string(bytes.Repeat([]byte("v"), 10_000))
	reply := "VALUE k 0 10000\r\n" + value + "\r\nEND\r\n"
	s := dismissing(t, cannedUpstream(t, []byte(reply)), time.Millisecond)
	conn := dialServer(t, s)
	var sending sync.WaitGroup
	sending.Go(func() {
		for {
			if _, err := conn.Write(bytes.Repeat([]byte("get k\r\n"), 100)); err != nil {
				return
			}
		}
	})
	await(t, "the client to be owed so much that it is blocked", func() (blocked bool) {
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				blocked = c.IsBlocked()
			}
		})
		return blocked
	})
	ended := shutdown(t, s)
	await(t, "the client to be hurried", func() (hurried bool) {
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				hurried = c.IsHurried()
			}
		})
		return hurried
	})
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, reply); n == 0 {
		t.Error("no reply has come")
	}
	_ = conn.Close()
	sending.Wait()
	<-ended
}

// A client that has just connected gets the reply to its first request.
func TestDismissedBeforeItsFirstRequest(t *testing.T) {
	t.Parallel()
	s := dismissing(t, cannedUpstream(t, []byte(shortReply)), time.Minute)
	conn := dialServer(t, s)
	await(t, "the client to be accepted", func() bool { return s.shared.Clients.Load() == 1 })
	ended := shutdown(t, s)
	if _, err := conn.Write([]byte("get k\r\n")); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, shortReply); n != 1 {
		t.Errorf("%d replies to one request", n)
	}
	<-ended
}

// A client that is in the middle of a request when it is hurried gets the reply to it.
func TestDismissedInARequest(t *testing.T) {
	t.Parallel()
	s := dismissing(t, cannedUpstream(t, []byte(shortReply)), time.Millisecond)
	conn := dialServer(t, s)
	if _, err := conn.Write([]byte("get k\r\nge")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len(shortReply))); err != nil {
		t.Fatal(err)
	}
	ended := shutdown(t, s)
	await(t, "the last request to be awaited", func() (last bool) {
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				last = c.IsFinishing()
			}
		})
		return last
	})
	if _, err := conn.Write([]byte("t k\r\nget half")); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, shortReply); n != 1 {
		t.Errorf("%d replies to one request", n)
	}
	<-ended
}

// A batch of quiet requests is carried out to its end, without which its client could not know what
// has no answer.
func TestDismissedInABatch(t *testing.T) {
	t.Parallel()
	getQuietly, noop := "\x80\x09\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00k", "\x80\x0a"+zeros
	for _, c := range []struct{ name, missing, begin, end, answer string }{
		{"meta", "EN\r\n", "mg k q\r\n", "mn\r\n", "MN\r\n"},
		{"binary", "END\r\n", getQuietly, noop, "\x81\x0a" + zeros},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := dismissing(t, cannedUpstream(t, []byte(c.missing)), time.Minute)
			conn := dialServer(t, s)
			if _, err := conn.Write([]byte(c.begin)); err != nil {
				t.Fatal(err)
			}
			await(t, "the get to be answered", func() (answered bool) {
				onLoops(s, func(l *front.Loop) {
					for c := range l.Clients.All {
						replies, _ := c.Owed()
						answered = c.Entered() && replies == 0
					}
				})
				return answered
			})
			ended := shutdown(t, s)
			if _, err := conn.Write([]byte(c.end)); err != nil {
				t.Fatal(err)
			}
			if data, err := io.ReadAll(conn); err != nil || string(data) != c.answer {
				t.Errorf("answered by %q, %v", data, err)
			}
			<-ended
		})
	}
}

// zeros are the bytes of a packet's header after its opcode.
var zeros = string(make([]byte, 22))

// An idle client reads the end of the connection at once.
func TestDismissedIdle(t *testing.T) {
	t.Parallel()
	s := dismissing(t, cannedUpstream(t, []byte(shortReply)), time.Minute)
	conn := dialServer(t, s)
	if _, err := conn.Write([]byte("get k\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len(shortReply))); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { s.Shutdown(); close(ended) }()
	if n, err := conn.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes and %v, expected the end of the connection", n, err)
	}
	<-ended
}
