package verify

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/metadump"
)

// patience is a timeout that no test is expected to reach.
const patience = time.Minute

// serve starts a server that answers each client by the answers that f returns, a request each, and then no more.
func serve(t *testing.T, f func() []string) Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			in := bufio.NewReader(conn)
			for _, answer := range f() {
				if _, err := in.ReadString('\n'); err != nil {
					break
				}
				_, _ = io.WriteString(conn, answer)
			}
			_, _ = io.Copy(io.Discard, in)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return Server{Name: "server", Share: 1, Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", listener.Addr().String())
	}}
}

// keysOf asks a server for keys.
func keysOf(s Server, sample int, timeout time.Duration) (keys []string, err error) {
	c := Check{Sample: sample, ConnectTimeout: patience, Timeout: timeout}
	err = c.ask(context.Background(), &s, func(it metadump.Item) { keys = append(keys, string(it.Key)) })
	return keys, err
}

// No more keys are taken than are wanted.
func TestSample(t *testing.T) {
	t.Parallel()
	s := serve(t, func() []string { return []string{"VERSION 1.6.45\r\n", "OK\r\nkey=a\nkey=b\nkey=c\nkey=d\nEND\r\n"} })
	if keys, err := keysOf(s, 3, patience); err != nil || strings.Join(keys, "|") != "a|b|c" {
		t.Errorf("%q, %v", keys, err)
	}
}

// A server whose crawler is locked is asked again, on another connection.
func TestLockedServer(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	s := serve(t, func() []string {
		answer := "OK\r\nERROR locked try again later\r\nEND\r\n"
		if asked.Add(1) > 2 {
			answer = "OK\r\nkey=a\nEND\r\n"
		}
		return []string{"VERSION 1.6.45\r\n", answer}
	})
	if keys, err := keysOf(s, 3, patience); err != nil || len(keys) != 1 || asked.Load() != 3 {
		t.Errorf("%q, %v, asked %d times", keys, err, asked.Load())
	}
}

// An error says what an operator can do about it.
func TestAdvice(t *testing.T) {
	t.Parallel()
	const short = 300 * time.Millisecond
	busy := []string{"VERSION 1.6.45\r\n"}
	for range 100 {
		busy = append(busy, "BUSY currently processing crawler request\r\n")
	}
	for _, test := range []struct {
		answers []string
		timeout time.Duration
		says    string
	}{
		{[]string{"CLIENT_ERROR unauthenticated\r\n"}, patience, "it asks for a user and a password: set --user and --password-file"},
		{nil, short, "it took too long; --timeout gives it more time"},
		{busy, short, "it is busy with another crawl of its items; try again later, or give it more time by --timeout"},
	} {
		if _, err := keysOf(serve(t, func() []string { return test.answers }), 1, test.timeout); err == nil || err.Error() != test.says {
			t.Errorf("%v, expected %q", err, test.says)
		}
	}
}
