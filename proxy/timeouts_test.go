package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// connections returns how many connections the only loop has had to the only
// upstream.
func connections(s *Server) (n uint32) {
	onLoops(s, func(l *front.Loop) { n = l.Pools.Current[0].All[0].Epoch })
	return n
}

// A loop that was busy for longer than an upstream's time-out finds the answer that has
// arrived meanwhile.
func TestBusyLoopIsNoSilence(t *testing.T) {
	asked, release, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := newServer(1, servedUpstream(t, "tcp", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		in := bufio.NewReader(conn)
		if !greet(conn, in) {
			return
		}
		if _, err := in.ReadSlice('\n'); err == nil {
			close(asked)
			<-release
			_, _ = io.WriteString(conn, value100)
			close(answered)
		}
		_, _ = in.ReadSlice('\n') // the end
	}))
	s.shared.Config.Pools[0].Timeout = 200 * time.Millisecond
	start(t, s)
	conn := dialServer(t, s)
	if _, err := io.WriteString(conn, "get key:12345\r\n"); err != nil {
		t.Fatal(err)
	}
	<-asked
	s.shared.Loops[0].Post(func() {
		close(release)
		<-answered
		<-time.After(3 * s.shared.Config.Pools[0].Timeout)
	})
	exchange(t, conn, "", value100)
	if n := connections(s); n != 1 {
		t.Errorf("there were %d connections", n)
	}
}

// slowReader is a server that reads piece bytes after every pause, and answers a set
// when it has all of it.
func slowReader(t *testing.T, network string, piece int, pause time.Duration) config.Upstream {
	t.Helper()
	return listeningUpstream(t, net.ListenConfig{Control: receiveLittle}, network, func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		in := bufio.NewReaderSize(conn, piece)
		if !greet(conn, in) {
			return
		}
		pace := time.NewTicker(pause)
		defer pace.Stop()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			reply := value100
			if strings.HasPrefix(line, "set ") {
				reply = "STORED\r\n"
				for rest := valueLength(line); rest > 0; rest -= min(rest, piece) {
					<-pace.C
					if _, err := in.Discard(min(rest, piece)); err != nil {
						return
					}
				}
			}
			if _, err := io.WriteString(conn, reply); err != nil {
				return
			}
		}
	})
}

// receiveLittle makes the buffer of a listening socket small, so that little is in transit. The
// connections have it from their beginning: if they had ever announced a large window, the sender
// would wait for half of that, by a timer which it makes longer and longer.
func receiveLittle(network, _ string, conn syscall.RawConn) (err error) {
	if network == "unix" {
		return nil
	}
	failed := conn.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 16<<10)
	})
	return errors.Join(failed, err)
}

// valueLength returns the length of the data after the line of a set, with its line
// end.
func valueLength(line string) (n int) {
	words := strings.Fields(line)
	_, _ = fmt.Sscan(words[len(words)-1], &n)
	return n + len("\r\n")
}

func largeSet(size int) string {
	return fmt.Sprintf("set key:12345 0 0 %d\r\n%s\r\n", size, strings.Repeat("v", size))
}

// A value that takes longer to be sent than the upstream's time-out is stored, and the
// requests after it get their answers.
func TestSlowLinkIsNoSilence(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			s := newServer(1, slowReader(t, network, 10_000, 15*time.Millisecond))
			s.shared.Config.Pools[0].Timeout, s.shared.Config.Drain = 400*time.Millisecond, 100*time.Millisecond
			start(t, s)
			one, other := dialServer(t, s), dialServer(t, s)
			if _, err := io.WriteString(one, largeSet(900_000)); err != nil {
				t.Fatal(err)
			}
			if err := one.(*net.TCPConn).CloseWrite(); err != nil { // a leaving client is waited for too
				t.Fatal(err)
			}
			await(t, "the value to be on its way", func() (under bool) {
				onLoops(s, func(l *front.Loop) { under = l.Pools.Current[0].All[0].InFlight() > 0 })
				return under
			})
			exchange(t, other, "get key:12345\r\n", value100)
			exchange(t, one, "", "STORED\r\n")
			if n := connections(s); n != 1 {
				t.Errorf("there were %d connections", n)
			}
		})
	}
}

// A request that an upstream reads so slowly that it would take for ever is refused,
// and so are the requests that wait until there is less to send.
func TestTrickleIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newServer(1, slowReader(t, "tcp", 4000, 150*time.Millisecond))
	s.shared.Config.Pools[0].Timeout = 2 * time.Second
	start(t, s)
	one, other := dialServer(t, s), dialServer(t, s)
	if _, err := io.WriteString(one, largeSet(1_000_000)); err != nil {
		t.Fatal(err)
	}
	sent := make(chan struct{})
	go func() { // a blocked client's socket is not read
		defer close(sent)
		_, _ = io.WriteString(other, strings.Repeat(largeSet(500_000), 30))
	}()
	await(t, "the other to be blocked", func() (blocked bool) {
		onLoops(s, func(l *front.Loop) { blocked = l.Pools.Current[0].All[0].Waiting() > 0 })
		return blocked
	})
	pending := 0
	onLoops(s, func(l *front.Loop) { pending = l.Pools.Current[0].All[0].InFlight() })
	expectRefusal(t, bufio.NewReader(one), "takes what it is sent too slowly: less than 1024 kB within 20s")
	answers := bufio.NewReader(other)
	for range pending { // except the first, and the blocked one
		expectRefusal(t, answers, "")
	}
	_ = other.Close()
	<-sent
}

// A reply of which some bytes come now and then is no silence, but those behind it would time out for as
// long as it drips.
func TestDrippingReplyIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		request string
		size    int
		every   time.Duration // for a byte
	}{
		{"get big\r\n", 1000, 20 * time.Millisecond},
		// Those behind a large one have another connection, which ends too. With a long key, it takes 5 s until
		// a value is known to be large and begins to be passed on.
		{"get big" + strings.Repeat("k", 240) + "\r\n", 900_000, 20 * time.Millisecond},
		{"gets big1 big2\r\n", 1000, 20 * time.Millisecond},
		{"mg big v\r\n", 1000, 20 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%.10s %d", strings.TrimSpace(test.request), test.size), func(t *testing.T) {
			t.Parallel()
			s := newServer(1, steadyUpstream(t, test.size, 1, test.every))
			s.shared.Config.Pools[0].Timeout, s.shared.Config.Drain = 100*time.Millisecond, 100*time.Millisecond
			start(t, s)
			one, other := dialServer(t, s), dialServer(t, s)
			if _, err := io.WriteString(one, test.request); err != nil {
				t.Fatal(err)
			}
			expectRefusal(t, bufio.NewReader(one), "did not answer within 100ms")
			await(t, "another connection", func() bool { return connections(s) > 1 })
			awaitReply(t, other, "get small\r\n", itemOf("small", 5, "")+"END\r\n")
		})
	}
}

func expectRefusal(t *testing.T, in *bufio.Reader, why string) {
	t.Helper()
	line, err := in.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "SERVER_ERROR upstream ") || !strings.Contains(line, why) {
		t.Errorf("answered by %q (%v), expected a refusal: %s", line, err, why)
	}
}

// An upstream process that hangs is disconnected, though its kernel still accepts
// clients' requests.
func TestHangingUpstreamIsGivenUp(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			end := make(chan struct{})
			defer close(end)
			s := newServer(1, servedUpstream(t, network, func(conn net.Conn) {
				defer func() { _ = conn.Close() }()
				if greet(conn, bufio.NewReader(conn)) {
					<-end
				}
			}))
			s.shared.Config.Pools[0].Timeout = 200 * time.Millisecond
			start(t, s)
			conn := dialServer(t, s)
			await(t, "the connection to be given up", func() bool {
				if _, err := io.WriteString(conn, "touch key:12345 0 noreply\r\n"); err != nil {
					t.Fatal(err)
				}
				return connections(s) > 1
			})
		})
	}
}

// An upstream whose first answers are not complete in time is connected again, even if
// parts of them keep arriving.
func TestTricklingGreetingIsGivenUp(t *testing.T) {
	for _, test := range []struct {
		name   string
		slow   int32 // number of the slow connection
		prompt string
	}{
		{"version at start", 1, ""},
		{"version later", 2, ""},
		{"settings at start", 1, "VERSION 1.6.38\r\n"},
		{"settings later", 2, "VERSION 1.6.38\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var number atomic.Int32
			s := newServer(1, servedUpstream(t, "unix", func(conn net.Conn) {
				switch n := number.Add(1); {
				case n == test.slow:
					trickle(conn, test.prompt, strings.TrimPrefix("VERSION 1.6.38-and-so-on\r\nSTAT and so on\r\nEND\r\n", test.prompt))
				case n < test.slow:
					greet(conn, bufio.NewReader(conn))
					_ = conn.Close()
				default:
					answerAll(conn, "1.6.38", []byte(value100))
				}
			}))
			s.shared.Config.Pools[0].Timeout = 100 * time.Millisecond
			go func() { _ = s.Start() }()
			t.Cleanup(s.Shutdown)
			await(t, "another connection", func() bool { return number.Load() > test.slow })
			await(t, "it to be used", func() bool {
				conn := dialServer(t, s)
				_, err := io.WriteString(conn, "get key:12345\r\n")
				line, _ := bufio.NewReader(conn).ReadString('\n')
				return err == nil && strings.HasPrefix(line, "VALUE ")
			})
		})
	}
}

// trickle answers promptly, then slowly.
func trickle(conn net.Conn, promptly, slowly string) {
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, promptly); err != nil {
		return
	}
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for i := range slowly {
		<-pace.C
		if _, err := io.WriteString(conn, slowly[i:i+1]); err != nil {
			return
		}
	}
	_, _ = io.Copy(io.Discard, conn)
}
