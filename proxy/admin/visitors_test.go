package admin

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/status"
)

// Those who connect and send no whole request keep nobody out: however many they are, whoever asks
// is answered, and so is the one who has asked before they came.
func TestHalfRequestsKeepNobodyOut(t *testing.T) {
	entered, proceed := make(chan struct{}), make(chan struct{})
	var asked atomic.Int64
	addr := serve(t, func(context.Context) (*status.Snapshot, error) {
		if asked.Add(1) == 2 { // by the request; the history asks, too
			close(entered)
		}
		<-proceed
		return full(), nil
	})
	early := make(chan error, 1)
	go func() {
		answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + addr + "/status.json")
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
		early <- err
	}()
	<-entered
	var halves []net.Conn
	for range 4 * maxConnections {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost:") // it may be closed already
		halves = append(halves, conn)
	}
	start := time.Now()
	for _, conn := range halves[:3*maxConnections] {
		_ = conn.SetReadDeadline(start.Add(readTimeout / 2))
		if _, err := conn.Read(make([]byte, 1)); err == nil || isTimeout(err) {
			t.Fatalf("a half request that is one of the oldest is answered, or open: %v", err)
		}
	}
	close(proceed)
	if err := <-early; err != nil {
		t.Errorf("the request before the others: %v", err)
	}
	client := &http.Client{Timeout: readTimeout / 2}
	answer, err := client.Get("http://" + addr + "/healthz")
	if err != nil {
		t.Fatalf("with half requests open: %v", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("with half requests open: %s", answer.Status)
	}
}

func isTimeout(err error) bool {
	wrong, ok := err.(net.Error)
	return ok && wrong.Timeout()
}

// The one that has waited for longest is closed for a new one, before those that are busy; among
// busy ones the first.
func TestWhoIsClosed(t *testing.T) {
	t.Parallel()
	var v visitors
	conns := make([]*closing, maxConnections+5)
	for i := range conns {
		conns[i] = &closing{}
	}
	for _, c := range conns[:maxConnections] {
		v.enter(c)
		v.changed(c, http.StateNew)
		v.changed(c, http.StateActive)
	}
	v.changed(conns[7], http.StateIdle)
	v.changed(conns[3], http.StateIdle)
	for i, closes := range []int{7, 3, maxConnections, maxConnections + 1} {
		v.enter(conns[maxConnections+i])
		if !conns[closes].closed {
			t.Errorf("for the new connection %d, connection %d is not closed", i, closes)
		}
	}
	v.changed(conns[7], http.StateClosed) // which is known already
	v.changed(conns[maxConnections+2], http.StateActive)
	v.changed(conns[maxConnections+3], http.StateActive)
	if v.enter(conns[maxConnections+4]); !conns[0].closed || len(v.open) != maxConnections {
		t.Errorf("the one that was busy for longest is open; there are %d", len(v.open))
	}
	for _, o := range v.open {
		if o.Conn.(*closing).closed {
			t.Error("a closed one counts")
		}
	}
}

// closing is a connection that can only be closed.
type closing struct {
	net.Conn
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}
