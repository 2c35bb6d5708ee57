package transport

import (
	"errors"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// awaitOwnWait waits until the loop waits by itself.
func awaitOwnWait(l *Loop) {
	for !l.waits.Load() {
		runtime.Gosched()
	}
}

// asked is the owner of a Conn that tells how it ends.
type asked struct {
	echo
	ended chan error
}

func (a *asked) Closed(err error) {
	a.ended <- err
	a.conn.End()
}

// A socket that the loop reads by itself ends with the same error as one that gnet reads.
func TestEndsOfSockets(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		paused bool
		ends   func(*net.TCPConn)
		err    error
	}{
		"closed":               {false, func(c *net.TCPConn) { _ = c.Close() }, io.EOF},
		"half closed":          {false, func(c *net.TCPConn) { _ = c.CloseWrite() }, io.EOF},
		"reset":                {false, reset, unix.ECONNRESET},
		"reset, when not read": {true, reset, io.EOF},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			l := startOne(t)
			client, accepted := connectedTo(t)
			a := &asked{ended: make(chan error, 2)}
			a.conn.Init(l, 1<<20, a)
			if err := l.Enroll(accepted, &a.conn); err != nil {
				t.Fatal(err)
			}
			if c.paused {
				l.Post(a.conn.Pause)
			}
			posts(l)
			awaitOwnWait(l)
			c.ends(client.(*net.TCPConn))
			if err := <-a.ended; !errors.Is(err, c.err) {
				t.Errorf("%v, expected %v", err, c.err)
			}
			if posts(l); len(a.ended) > 0 {
				t.Error("it ended twice")
			}
		})
	}
}

// reset resets a connection.
func reset(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// fullSize is how many bytes connectsFull sends: more than a socket accepts while nobody reads.
const fullSize = 32 << 20

// connectsFull returns a connection to the loop whose output waits until the socket accepts more.
func connectsFull(t *testing.T, l *Loop) (client net.Conn) {
	t.Helper()
	client, accepted := connectedTo(t)
	e := &echo{}
	e.conn.Init(l, 1<<20, e)
	if err := l.Enroll(accepted, &e.conn); err != nil {
		t.Fatal(err)
	}
	l.Post(func() { e.Read(make([]byte, fullSize)) })
	for full := false; !full; {
		l.Post(func() { full = len(l.full) > 0 })
		posts(l)
	}
	return client
}

// What a socket did not accept is written when it accepts more, also while gnet is about to be handed something.
func TestFullSocketIsWrittenOn(t *testing.T) {
	t.Parallel()
	for what, during := range map[string]func(l *Loop, reads func()){
		"while the loop waits": func(_ *Loop, reads func()) { reads() },
		"while something is handed over": func(l *Loop, reads func()) {
			l.begins()
			l.rouse()
			reads()
			l.taken()
		},
		"while functions are posted": func(l *Loop, reads func()) {
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for {
					select {
					case <-stop:
						return
					default:
						posts(l)
					}
				}
			}()
			reads()
			close(stop)
			<-stopped
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			l := startOne(t)
			client := connectsFull(t, l)
			during(l, func() {
				_ = client.SetReadDeadline(time.Now().Add(time.Minute))
				if _, err := io.CopyN(io.Discard, client, fullSize); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// rival is the owner of a Conn that ends another one when it is read.
type rival struct {
	echo
	other *rival
	reads *int
}

func (r *rival) Read([]byte) {
	*r.reads++
	r.other.conn.End()
}

// A socket that is closed while others are read is not read any more, although it was readable like them.
func TestClosedSocketIsNotRead(t *testing.T) {
	t.Parallel()
	l := startOne(t)
	reads := 0
	a, b := &rival{reads: &reads}, &rival{reads: &reads}
	a.other, b.other = b, a
	var clients []net.Conn
	for _, r := range []*rival{a, b} {
		client, accepted := connectedTo(t)
		r.conn.Init(l, 1<<20, r)
		if err := l.Enroll(accepted, &r.conn); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	h := &halting{reads: make(chan struct{}), goesOn: make(chan struct{})}
	client, accepted := connectedTo(t)
	h.conn.Init(l, 1<<20, h)
	if err := l.Enroll(accepted, &h.conn); err != nil {
		t.Fatal(err)
	}
	posts(l)
	awaitOwnWait(l)
	for i, c := range append([]net.Conn{client}, clients...) {
		if _, err := c.Write([]byte("said")); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			<-h.reads
		}
	}
	close(h.goesOn)
	awaitOwnWait(l)
	l.Post(func() {
		if reads != 1 {
			t.Errorf("%d were read, expected one", reads)
		}
	})
	posts(l)
}

// More sockets can have events than the loop asks for at a time.
func TestManySocketsAtATime(t *testing.T) {
	t.Parallel()
	l := startOne(t)
	var clients []net.Conn
	for range len(l.poller.events) + 100 {
		client, accepted := connectedTo(t)
		e := &echo{}
		e.conn.Init(l, 1<<20, e)
		if err := l.Enroll(accepted, &e.conn); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	for range 20 {
		var all sync.WaitGroup
		begin := make(chan struct{})
		l.Post(func() { <-begin })
		for _, c := range clients {
			if _, err := c.Write([]byte("said")); err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				if _, err := io.ReadFull(c, make([]byte, 4)); err != nil {
					t.Error(err)
				}
			})
		}
		close(begin)
		all.Wait()
	}
}

// While gnet is about to be handed something, a loop with a full socket does not go round in turns.
func TestFullSocketLetsLoopRest(t *testing.T) {
	t.Parallel()
	l := startOne(t)
	connectsFull(t, l)
	l.begins()
	defer l.taken()
	l.rouse()
	posts(l)
	for range 50 { // until it has ended no turn for a while
		time.Sleep(10 * yieldEvery)
		var turned time.Duration
		l.Post(func() { turned = time.Since(l.looked) })
		if posts(l); turned > 5*yieldEvery {
			return
		}
	}
	t.Error("it ends one turn after another, though nothing happens")
}
