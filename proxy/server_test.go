package proxy

import (
	"bufio"
	"bytes"
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/verbs"
)

// cannedUpstream is a server that answers every get with the same value, in which KEY stands for
// the key, and allocates nothing, so that a benchmark counts only the proxy's allocations.
func cannedUpstream(tb testing.TB, reply []byte) config.Upstream {
	tb.Helper()
	return fakeUpstream(tb, "1.6.38", reply)
}

// oldUpstream is a memcached without meta commands that holds nothing.
func oldUpstream(tb testing.TB) config.Upstream {
	tb.Helper()
	return fakeUpstream(tb, "1.5.22", []byte("END\r\n"))
}

// Start opens the server and begins to accept clients.
func (s *Server) Start() error {
	if err := s.Open(); err != nil {
		return err
	}
	s.Accept()
	return nil
}

func fakeUpstream(tb testing.TB, version string, reply []byte) config.Upstream {
	tb.Helper()
	return servedUpstream(tb, "unix", func(conn net.Conn) { answerAll(conn, version, reply) })
}

// servedUpstream is a server whose connections are handled by serve.
func servedUpstream(tb testing.TB, network string, serve func(net.Conn)) config.Upstream {
	tb.Helper()
	return listeningUpstream(tb, net.ListenConfig{}, network, serve)
}

// listeningUpstream is servedUpstream whose sockets are made as how says.
func listeningUpstream(tb testing.TB, how net.ListenConfig, network string, serve func(net.Conn)) config.Upstream {
	tb.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(tb.TempDir(), "s")
	}
	l, err := how.Listen(tb.Context(), network, address)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	address = l.Addr().String()
	return config.Upstream{Name: address, Network: network, Address: address, Dial: func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
}

// answerAll answers the requests that the proxy sends first on a new connection, then
// every line with reply, in which KEY stands for the second word of the line.
func answerAll(conn net.Conn, version string, reply []byte) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	out := bufio.NewWriter(conn)
	before, after, withKey := bytes.Cut(reply, []byte("KEY"))
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		if bytes.HasPrefix(line, []byte("version")) {
			_, _ = out.WriteString("VERSION " + version + "\r\n")
		} else if bytes.HasPrefix(line, []byte("stats")) {
			_, _ = out.WriteString("END\r\n")
		} else {
			_, _ = out.Write(before)
			if withKey {
				_, key := protocol.NextWord(line)
				key, _ = protocol.NextWord(key)
				_, _ = out.Write(key)
			}
			_, _ = out.Write(after)
		}
		if in.Buffered() == 0 {
			_ = out.Flush()
		}
	}
}

// greet answers the requests that the proxy sends first on a new connection. It reports
// whether it could.
func greet(conn net.Conn, in *bufio.Reader) bool {
	for range 2 {
		if _, err := in.ReadSlice('\n'); err != nil {
			return false
		}
	}
	_, err := conn.Write([]byte("VERSION 1.6.38\r\nEND\r\n"))
	return err == nil
}

// gatedUpstream holds nothing, and answers when the gate has been closed.
func gatedUpstream(tb testing.TB, gate <-chan struct{}) config.Upstream {
	tb.Helper()
	return servedUpstream(tb, "unix", func(conn net.Conn) {
		in := bufio.NewReader(conn)
		if !greet(conn, in) {
			return
		}
		for {
			if _, err := in.ReadSlice('\n'); err != nil {
				return
			}
			<-gate
			if _, err := conn.Write([]byte("END\r\n")); err != nil {
				return
			}
		}
	})
}

// startServer starts a proxy in front of upstreams, and waits until it has tried
// to connect to them.
func startServer(tb testing.TB, loops int, upstreams ...config.Upstream) *Server {
	tb.Helper()
	return start(tb, newServer(loops, upstreams...))
}

func start(tb testing.TB, s *Server) *Server {
	tb.Helper()
	if err := s.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Shutdown)
	await(tb, "all upstreams to be tried", func() bool {
		tried := true
		onLoops(s, func(l *front.Loop) { tried = tried && l.Pools.Current[0].Tried() })
		return tried
	})
	return s
}

func newServer(loops int, upstreams ...config.Upstream) *Server {
	s := New(config.Config{
		Version: "test",
		Pools: []config.Pool{{
			Name:           "main",
			Upstreams:      upstreams,
			Layout:         firstOnly{},
			Timeout:        5 * time.Second,
			ConnectTimeout: time.Second,
			MaxItemSize:    1 << 20,
			Verbs:          verbs.Options{CompactDirtiness: 100, StructureItemSize: 64 << 10, LogChunk: 10000, LogChunks: 10},
		}},
		Listeners: []config.Listener{{
			Address: listen.Address{Network: "tcp", Address: "127.0.0.1:0"},
			Routes:  []config.Route{{Pool: "main"}},
		}},
		Drain:        time.Second,
		Loops:        loops,
		MaxClients:   1000,
		BufferMemory: 256 << 20,
		ReadCache:    1 << 20,
	}, slog.New(slog.DiscardHandler))
	s.shared.Pauses.ProbeEvery = 0
	return s
}

// firstOnly places every key on the first upstream.
type firstOnly struct{}

func (firstOnly) Locate([]byte) int { return 0 }

func dialServer(tb testing.TB, s *Server) net.Conn {
	tb.Helper()
	conn, err := net.Dial("tcp", s.Addrs()[0].String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return conn
}
