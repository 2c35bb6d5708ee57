package front

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
)

// fixture is an event loop in front of one server.
type fixture struct {
	loop   *Loop
	socket *config.Socket
}

// startLoop starts a loop in front of a server that answers every request by reply; by nothing if that is empty.
func startLoop(t *testing.T, reply string) *fixture {
	t.Helper()
	server := listenUnix(t, func(conn net.Conn) { answerAll(conn, reply) })
	c := config.Config{
		Pools: []config.Pool{{
			Name: "main", Upstreams: []config.Upstream{{Name: "u", Network: "unix", Address: server, Dial: func(ctx context.Context) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", server)
			}}},
			Timeout: time.Minute, ConnectTimeout: time.Minute, MaxItemSize: 1 << 20,
			Verbs: verbs.Options{CompactDirtiness: 100, StructureItemSize: 64 << 10, LogChunk: 10000, LogChunks: 10},
		}},
		Listeners: []config.Listener{{Routes: []config.Route{{Pool: "main"}}}},
		Loops:     1, MaxClients: 1000, BufferMemory: 256 << 20,
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := NewShared(ctx, c, slog.New(slog.DiscardHandler))
	s.Started = time.Now()
	s.Pauses.ProbeEvery = 0
	engine, err := transport.Start(1, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	setup := config.NewSetup(c, nil, config.Gone{}, config.NewStaleness(nil), s.Log)
	f := &fixture{socket: &config.Socket{}}
	setup.Sockets = []*config.Socket{f.socket}
	f.loop = NewLoop(s, engine.Loops[0], setup)
	s.Loops = []*Loop{f.loop}
	s.Setup.Store(setup)
	t.Cleanup(func() {
		cancel()
		if err := engine.Stop(); err != nil {
			t.Error(err)
		}
	})
	f.loop.Post(f.loop.Connect)
	f.await(t, "the server to be tried", func() bool { return f.loop.Pools.Current[0].Tried() })
	return f
}

// listenUnix has serve handle the connections to a socket, and returns its path.
func listenUnix(t *testing.T, serve func(net.Conn)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			go serve(conn)
		}
	}()
	return path
}

// answerAll answers what the proxy asks first on a connection, and then every line by reply.
func answerAll(conn net.Conn, reply string) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for n := 0; ; n++ {
		answer := reply
		switch _, err := in.ReadString('\n'); {
		case err != nil:
			return
		case n == 0:
			answer = "VERSION 1.6.38\r\n"
		case n == 1:
			answer = "END\r\n"
		}
		if _, err := io.WriteString(conn, answer); err != nil {
			return
		}
	}
}

// on calls do on the loop.
func (f *fixture) on(do func(l *Loop)) {
	done := make(chan struct{})
	f.loop.Post(func() { do(f.loop); close(done) })
	<-done
}

// await waits until condition holds on the loop.
func (f *fixture) await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		holds := false
		f.on(func(*Loop) { holds = condition() })
		if holds {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited for %s, in vain", what)
		}
	}
}

// client returns a client that the loop has, and its end of the connection.
func (f *fixture) client(t *testing.T) (c *Client, conn net.Conn) {
	t.Helper()
	accepted := make(chan net.Conn, 1)
	conn, err := net.Dial("unix", listenUnix(t, func(conn net.Conn) { accepted <- conn }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	f.loop.Shared.Clients.Add(1)
	f.loop.Clients.Assigned.Add(1)
	f.socket.Clients.Add(1)
	c = newClient(f.loop, f.socket)
	if err = f.loop.net.Enroll(<-accepted, &c.conn); err != nil {
		t.Fatal(err)
	}
	return c, conn
}

// exchange sends a request, and fails the test unless it is answered by reply.
func exchange(t *testing.T, conn net.Conn, request, reply string) {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(reply))
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	if n, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, []byte(reply)) {
		t.Fatal(fmt.Errorf("%.40q was answered by %.40q (%w), expected %.40q", request, got[:n], err, reply))
	}
}
