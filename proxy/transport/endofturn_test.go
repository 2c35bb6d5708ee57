package transport

import (
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
)

// A turn begins with an event, and its end is reported once.
func TestTurn(t *testing.T) {
	t.Parallel()
	for state, follows := range map[turn]struct{ begun, ends turn }{
		resting: {active, resting},
		active:  {active, ending},
		ending:  {ending, ending},
	} {
		if begun, ends := state.begun(), state.ends(); begun != follows.begun || ends != follows.ends {
			t.Errorf("state %d: %d follows an event, and %d the report", state, begun, ends)
		}
	}
}

// flusher is the owner of a loop.
type flusher struct{ loop *Loop }

func (f flusher) EndCallback() { f.loop.Flush() }
func (f flusher) EndTurn()     { f.loop.WriteOn() }

// echo is the owner of a Conn that sends back what it receives, at once or at the end of the turn.
type echo struct {
	conn  Conn
	later bool
}

func (e *echo) Opened(*Conn) {}
func (e *echo) Closed(error) { e.conn.End() }
func (e *echo) Broken(error) { e.conn.End() }
func (e *echo) Drained()     {}

func (e *echo) Read(data []byte) {
	if e.conn.Out.Write(data); e.later {
		e.conn.SendLater()
	} else {
		e.conn.Send()
	}
}

// While a loop serves sockets it neglects nothing else, although it waits for itself in between: neither functions that are
// posted nor new sockets.
func TestLoopNeglectsNothing(t *testing.T) {
	e, err := Start(1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop() }()
	l := e.Loops[0]
	l.Serve(flusher{l}, &Buffers{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()

	// connects returns a connection that is echoed.
	connects := func(later bool) net.Conn {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Error(err)
			return nil
		}
		accepted, err := listener.Accept()
		if err == nil {
			echo := &echo{later: later}
			echo.conn.Init(l, 1<<20, new(uint64), echo)
			err = l.Enroll(accepted, &echo.conn)
		}
		if err != nil {
			t.Error(err)
		}
		return conn
	}
	// asks sends something, and waits for its echo, n times.
	asks := func(conn net.Conn, n int) {
		said := make([]byte, 4)
		for range n {
			if _, err := conn.Write([]byte("said")); err != nil {
				t.Error(err)
				return
			}
			if _, err := io.ReadFull(conn, said); err != nil {
				t.Error(err)
				return
			}
		}
	}

	posts := func() {
		called := make(chan struct{})
		l.Post(func() { close(called) })
		<-called
	}

	// With something to read at the same time, and nothing that comes later.
	alone := connects(true)
	defer alone.Close()
	for range 3000 {
		var both sync.WaitGroup
		both.Go(posts)
		asks(alone, 1)
		both.Wait()
	}

	var all sync.WaitGroup
	for i := range 3 {
		conn := connects(i > 0)
		defer conn.Close()
		all.Go(func() { asks(conn, 3000) })
	}
	for range 2 {
		all.Go(func() {
			for range 2000 {
				posts()
			}
		})
	}
	all.Go(func() {
		for i := range 300 {
			conn := connects(i%2 > 0)
			asks(conn, 1)
			conn.Close()
		}
	})
	all.Wait()
}
