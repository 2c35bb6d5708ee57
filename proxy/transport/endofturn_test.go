package transport

import (
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"runtime"
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
func (e *echo) Wrote(int)    {}
func (e *echo) Drained()     {}

func (e *echo) Read(data []byte) {
	if e.conn.Out.Write(data); e.later {
		e.conn.SendLater()
	} else {
		e.conn.Send()
	}
}

// startOne starts a loop, which ends with the test.
func startOne(t *testing.T) *Loop {
	e, err := Start(1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	l := e.Loops[0]
	l.Serve(flusher{l}, &Buffers{})
	return l
}

// connectedTo returns the two ends of a connection. The first is closed with the test.
func connectedTo(t *testing.T) (client, accepted net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if client, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if accepted, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	return client, accepted
}

// posts has the loop call a function, and waits for that.
func posts(l *Loop) {
	called := make(chan struct{})
	l.Post(func() { close(called) })
	<-called
}

// Functions that are posted while the loop is about to wait are called, although no socket wakes it. More threads than cores
// have the system interrupt them anywhere.
func TestNoPostIsMissed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	l := startOne(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10_000 {
				posts(l)
				for range rand.IntN(3000) { // so that the loop may begin to wait before this, or after
				}
			}
		})
	}
	all.Wait()
}

// So are more functions than gnet calls one after another.
func TestManyPosts(t *testing.T) {
	t.Parallel()
	l := startOne(t)
	for range 10 {
		begin := make(chan struct{})
		l.Post(func() { <-begin })
		var all sync.WaitGroup
		all.Add(4000)
		for range 4000 {
			l.Post(all.Done)
		}
		close(begin)
		all.Wait()
	}
}

// An engine that is idle, or has just been handed something, can be stopped.
func TestStopAnIdleEngine(t *testing.T) {
	t.Parallel()
	for range 50 {
		e, err := Start(2, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range e.Loops {
			l.Serve(flusher{l}, &Buffers{})
		}
		posts(e.Loops[0])
		posts(e.Loops[1])
		late := make(chan bool)
		go func() { late <- e.Loops[0].Post(func() {}) }()
		if err = e.Stop(); err != nil {
			t.Error(err)
		}
		if <-late; e.Loops[0].Post(func() { t.Error("it is called after the engine was stopped") }) {
			t.Error("a stopped engine takes a function")
		}
		e.Loops[0].rouse()
	}
}

// While a loop serves sockets it neglects nothing else, although it waits for itself in between: neither functions that are
// posted nor new sockets.
func TestLoopNeglectsNothing(t *testing.T) {
	t.Parallel()
	l := startOne(t)
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
			echo.conn.Init(l, 1<<20, echo)
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

	// With something to read at the same time, and nothing that comes later.
	alone := connects(true)
	defer alone.Close()
	for range 3000 {
		var both sync.WaitGroup
		both.Go(func() { posts(l) })
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
				posts(l)
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
