package secure

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// Where all places are taken by clients that stall, the oldest of them gives way to a new one, and
// only that.
func TestHandshakesGiveWay(t *testing.T) {
	t.Parallel()
	const most = 4
	a := securetest.NewAuthority(t)
	s := newServer(t, a)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h := newHandshakes(slog.New(slog.DiscardHandler), most)
	accept := func() <-chan error {
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		place, over := h.Take(conn, "here"), make(chan error, 1)
		t.Cleanup(func() { conn.Close() })
		go func() {
			_, err := place.Shake(s)
			over <- err
		}()
		return over
	}
	var stalled []<-chan error
	for range most {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		stalled = append(stalled, accept())
	}
	served := make(chan error, 1)
	go func() {
		dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: testPatience}, Config: &tls.Config{RootCAs: a.Pool, ServerName: "localhost"}}
		conn, err := dialer.Dial("tcp", l.Addr().String())
		if err == nil {
			t.Cleanup(func() { conn.Close() })
		}
		served <- err
	}()
	if err := <-accept(); err != nil {
		t.Errorf("the handshake of the new client: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("the new client: %v", err)
	}
	if err := <-stalled[0]; !errors.Is(err, errEvicted) {
		t.Errorf("the oldest handshake ends with %v", err)
	}
	for _, other := range stalled[1:] {
		select {
		case err := <-other:
			t.Errorf("a younger handshake ends with %v", err)
		default:
		}
	}
}
