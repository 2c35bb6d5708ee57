package front

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"time"
)

const shortReply = "VALUE k 0 1\r\nx\r\nEND\r\n"

// dismissing is a loop that hurries dismissed clients after some time.
func dismissing(t *testing.T, reply string, lastRequests time.Duration) *fixture {
	t.Helper()
	f := startLoop(t, reply)
	f.loop.Pauses.LastRequests = lastRequests
	return f
}

// dismissAll begins a shutdown.
func (f *fixture) dismissAll() {
	f.on(func(l *Loop) {
		l.Draining.Store(true)
		l.Drain()
	})
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
	f := dismissing(t, reply, time.Millisecond)
	c, conn := f.client(t)
	var sending sync.WaitGroup
	sending.Go(func() {
		for {
			if _, err := conn.Write(bytes.Repeat([]byte("get k\r\n"), 100)); err != nil {
				return
			}
		}
	})
	f.await(t, "the client to be owed so much that it is blocked", c.blocked)
	f.dismissAll()
	f.await(t, "the client to be hurried", func() bool { return c.departure.state > dismissed })
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, reply); n == 0 {
		t.Error("no reply has come")
	}
	_ = conn.Close()
	sending.Wait()
}

// A client that has just connected gets the reply to its first request.
func TestDismissedBeforeItsFirstRequest(t *testing.T) {
	t.Parallel()
	f := dismissing(t, shortReply, time.Minute)
	_, conn := f.client(t)
	f.dismissAll()
	if _, err := conn.Write([]byte("get k\r\n")); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, shortReply); n != 1 {
		t.Errorf("%d replies to one request", n)
	}
}

// A client that is in the middle of a request when it is hurried gets the reply to it.
func TestDismissedInARequest(t *testing.T) {
	t.Parallel()
	f := dismissing(t, shortReply, time.Millisecond)
	c, conn := f.client(t)
	if _, err := conn.Write([]byte("get k\r\nge")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len(shortReply))); err != nil {
		t.Fatal(err)
	}
	f.dismissAll()
	f.await(t, "the last request to be awaited", func() bool { return c.departure.state == finishing })
	if _, err := conn.Write([]byte("t k\r\nget half")); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(conn)
	if n := wholeReplies(t, data, err, shortReply); n != 1 {
		t.Errorf("%d replies to one request", n)
	}
}

// A batch of quiet requests is carried out to its end, without which its client could not know what
// has no answer.
func TestDismissedInABatch(t *testing.T) {
	t.Parallel()
	getQuietly, noop := "\x80\x09\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00k", "\x80\x0a"+zeros
	for _, test := range []struct{ name, missing, begin, end, answer string }{
		{"meta", "EN\r\n", "mg k q\r\n", "mn\r\n", "MN\r\n"},
		{"binary", "END\r\n", getQuietly, noop, "\x81\x0a" + zeros},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := dismissing(t, test.missing, time.Minute)
			c, conn := f.client(t)
			if _, err := conn.Write([]byte(test.begin)); err != nil {
				t.Fatal(err)
			}
			f.await(t, "the get to be answered", func() bool { return c.gate.state.passes() && c.replies.Len() == 0 })
			f.dismissAll()
			if _, err := conn.Write([]byte(test.end)); err != nil {
				t.Fatal(err)
			}
			if data, err := io.ReadAll(conn); err != nil || string(data) != test.answer {
				t.Errorf("answered by %q, %v", data, err)
			}
		})
	}
}

// zeros are the bytes of a packet's header after its opcode.
var zeros = string(make([]byte, 22))

// An idle client reads the end of the connection at once.
func TestDismissedIdle(t *testing.T) {
	t.Parallel()
	f := dismissing(t, shortReply, time.Minute)
	_, conn := f.client(t)
	if _, err := conn.Write([]byte("get k\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len(shortReply))); err != nil {
		t.Fatal(err)
	}
	f.dismissAll()
	if n, err := conn.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes and %v, expected the end of the connection", n, err)
	}
}

// A client that has sent quit, and does not close its connection, does not hold up a shutdown any longer
// than one that is dismissed.
func TestClientThatLingersAtAShutdown(t *testing.T) {
	t.Parallel()
	f := startLoop(t, shortReply)
	c, conn := f.client(t)
	exchange(t, conn, "quit\r\n", "")
	if _, err := io.ReadAll(conn); err != nil {
		t.Fatal(err)
	}
	f.dismissAll()
	f.on(func(*Loop) {
		if c.departure.grace != c.loop.clock.Span(farewell) {
			t.Error("it may linger for long")
		}
	})
}
