package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// playedUpstream is a server for which play answers every request, except the first
// ones of a new connection.
func playedUpstream(tb testing.TB, network string, play func(conn net.Conn, words []string)) config.Upstream {
	tb.Helper()
	return servedUpstream(tb, network, func(conn net.Conn) { playAll(conn, bufio.NewReader(conn), play) })
}

// playAll calls play for each request line in in. play may read the data after it.
func playAll(conn net.Conn, in *bufio.Reader, play func(conn net.Conn, words []string)) {
	defer func() { _ = conn.Close() }()
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(line); words[0] {
		case "version":
			_, _ = io.WriteString(conn, "VERSION 1.6.38\r\n")
		case "stats":
			_, _ = io.WriteString(conn, "END\r\n")
		default:
			play(conn, words)
		}
	}
}

// writePieces writes reply, cut at the places given, each piece when the previous one
// has been read.
func writePieces(t *testing.T, conn net.Conn, reply string, cuts ...int) {
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		t.Error(err)
		return
	}
	for at := 0; at < len(reply); {
		end := len(reply)
		for _, cut := range cuts {
			if cut > at {
				end = min(end, cut)
			}
		}
		if _, err := io.WriteString(conn, reply[at:end]); err != nil {
			return
		}
		await(t, "the piece to be read", func() bool {
			unread := 0
			err := raw.Control(func(fd uintptr) { unread, _ = unix.IoctlGetInt(int(fd), unix.SIOCOUTQ) })
			return unread == 0 || err != nil
		})
		at = end
	}
}

// Wherever a reply with a value is cut, near the places where something is decided, the
// client gets all of it, and then the next reply.
func TestStreamCutAnywhere(t *testing.T) {
	var cuts []int // set while nothing is in flight
	size := 0
	up := playedUpstream(t, "unix", func(conn net.Conn, words []string) {
		writePieces(t, conn, valueOf(words[1], size, words[0] == "mg"), cuts...)
	})
	s := startServer(t, 1, up)
	conn := dialServer(t, s)
	total := uint64(0)
	for _, command := range []string{"get k\r\n", "mg k v\r\n"} {
		for _, size = range []int{upstream.Large - 20, upstream.Large, 150_000} {
			reply := valueOf("k", size, command[0] == 'm')
			start := strings.Index(reply, "\n") + 1
			end := start + size
			for _, first := range []int{start - 1, start, transport.OwnBuffer - 1, transport.OwnBuffer, transport.OwnBuffer + 1, end - 1, end, end + 1} {
				for second := end - 1; second <= len(reply); second++ {
					cuts = []int{first, second, second + 1}
					exchange(t, conn, command, reply)
					total += uint64(len(reply))
				}
			}
		}
	}
	onLoops(s, func(l *front.Loop) {
		if l.Stats[status.Sent] != total {
			t.Errorf("%d bytes written, expected %d", l.Stats[status.Sent], total)
		}
	})
	exchange(t, conn, "mn\r\n", "MN\r\n")
	conn.Close()
	await(t, "all buffers to be given back", func() bool { _, buffers := heldBy(s); return buffers == 0 })
}

// Wherever a large request is cut, the upstream gets all of it, and then the next
// request.
func TestLargeRequestCutAnywhere(t *testing.T) {
	size := 0 // set while nothing is in flight
	s := newServer(1, servedUpstream(t, "unix", func(conn net.Conn) {
		in := bufio.NewReader(conn)
		playAll(conn, in, func(_ net.Conn, words []string) {
			if words[0] == "get" {
				_, _ = io.WriteString(conn, "END\r\n")
				return
			}
			data := make([]byte, size+2)
			if _, err := io.ReadFull(in, data); err != nil || string(data) != numbers[:size]+"\r\n" {
				t.Errorf("the data of %q is not what was sent (%v)", words, err)
			}
			_, _ = io.WriteString(conn, "STORED\r\n")
		})
	}))
	s.shared.Config.Listeners[0].Address = listen.Address{Network: "unix", Address: filepath.Join(t.TempDir(), "proxy")}
	start(t, s)
	conn, err := net.Dial("unix", s.Addrs()[0].String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience))
	total := uint64(0)
	for _, size = range []int{upstream.Large - 100, upstream.Large, 150_000, 700_000} {
		request := fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", size, numbers[:size])
		all := request + "get none\r\n" + request
		const replies = "STORED\r\nEND\r\nSTORED\r\n"
		for _, first := range []int{0, 3, 30, transport.ReadSize - 1, transport.ReadSize, transport.ReadSize + 1} {
			for second := len(request) - 2; second <= len(request)+2; second++ {
				cuts := []int{first, second, second + 7}
				if second > len(request)+1 {
					cuts = cuts[:1]
				}
				writePieces(t, conn, all, cuts...)
				got := make([]byte, len(replies))
				if _, err := io.ReadFull(conn, got); err != nil || string(got) != replies {
					t.Fatalf("%d bytes, cut at %d and %d: answered %q (%v)", size, first, second, got, err)
				}
				total += uint64(len(all))
			}
		}
	}
	onLoops(s, func(l *front.Loop) {
		if l.Stats[status.Received] != total {
			t.Errorf("%d bytes read, expected %d", l.Stats[status.Received], total)
		}
	})
	await(t, "all buffers to be given back", func() bool { _, buffers := heldBy(s); return buffers == 0 })
}

// frozen returns a proxy, whose upstream reads only the first requests of a new
// connection, and a client.
func frozen(t *testing.T) (*Server, net.Conn) {
	t.Helper()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	s := newServer(1, servedUpstream(t, "unix", func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		greet(conn, bufio.NewReader(conn))
		<-over
	}))
	s.shared.Config.Listeners[0].Address = listen.Address{Network: "unix", Address: filepath.Join(t.TempDir(), "proxy")}
	start(t, s)
	conn, err := net.Dial("unix", s.Addrs()[0].String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return s, conn
}

// awaitQueued waits until n bytes wait to be written to the upstream, and returns the
// memory used then, in bytes.
func awaitQueued(t *testing.T, s *Server, n int) (account, buffers int) {
	t.Helper()
	await(t, "the data to wait for the upstream", func() (waits bool) {
		onLoops(s, func(l *front.Loop) {
			if u := l.Pools.Current[0].All[0]; u.First.Connected() {
				waits, account, buffers = u.First.Out().Size() >= n, l.Account.Used(), l.Buffers.InUse()
			}
		})
		return waits
	})
	return account, buffers
}

// setRequest is a set of size bytes.
func setRequest(size int) string {
	return fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", size, strings.Repeat("v", size))
}

// Data at the end of the input is sent from the buffer that it was read into, so it is
// in memory once.
func TestLargeDataIsNotCopied(t *testing.T) {
	const size = 1_000_000
	s, conn := frozen(t)
	ask(t, conn, setRequest(size))
	if used, _ := awaitQueued(t, s, size/2); used >= 2*size { // including what receiving it used
		t.Errorf("%d bytes are used for data of %d", used, size)
	}
}

// A buffer that is much larger than the data, because a longer request was read into it
// before, is not kept for the data.
func TestSmallerDataLeavesTheInput(t *testing.T) {
	const size, smaller, later = 1_000_000, 70_000, 100
	s, conn := frozen(t)
	ask(t, conn, setRequest(size))
	_, before := awaitQueued(t, s, size/2)
	refused := setRequest(size)
	refused = refused[:len(refused)-2] + "xx" // by the proxy
	writePieces(t, conn, refused+setRequest(smaller), len(refused)-later, len(refused)+smaller/10)
	if _, buffers := awaitQueued(t, s, size/2+smaller); buffers-before > 4*smaller {
		t.Errorf("%d bytes of buffers are used for data of %d", buffers-before, smaller)
	}
}

// A client gets small replies and large ones in the order of its requests, whether or
// not the small ones have been written when the large ones arrive.
func TestLargeRepliesBehindSmallOnes(t *testing.T) {
	replies := map[string]string{"s": valueOf("s", 10, false), "l": valueOf("l", 200_000, false)}
	for _, order := range []string{"sl", "ssls", "lsslls"} {
		requests, want := "", ""
		for _, key := range strings.Split(order, "") {
			requests += "get " + key + "\r\n"
			want += replies[key]
		}
		up := playedUpstream(t, "unix", func(conn net.Conn, words []string) {
			switch words[1] {
			case "warm": // after which the client may ask for more at a time
				_, _ = io.WriteString(conn, "END\r\n")
			case "none": // asked for last: everything is sent in one piece
				_, _ = io.WriteString(conn, want+"END\r\n")
			}
		})
		conn := dialServer(t, startServer(t, 1, up))
		exchange(t, conn, "get warm\r\n", "END\r\n")
		exchange(t, conn, requests+"get none\r\n", want+"END\r\n")
	}
}

// The connection to an upstream that answers with one value too many is closed, and so
// is the client that has got an incomplete value from it. No buffer is lost.
func TestSecondValueBehindAStream(t *testing.T) {
	second := fmt.Sprintf("VALUE k 0 30000\r\n%s\r\n", numbers[:30_000])
	first := strings.TrimSuffix(valueOf("k", 150_000, false), "END\r\n")
	reply := first + second + "END\r\n"
	up := playedUpstream(t, "unix", func(conn net.Conn, _ []string) {
		writePieces(t, conn, reply, transport.OwnBuffer, len(first), len(first)+20_000)
	})
	s := startServer(t, 1, up)
	conn := dialServer(t, s)
	if _, err := io.WriteString(conn, "get k\r\n"); err != nil {
		t.Fatal(err)
	}
	if came, err := io.ReadAll(conn); !strings.HasPrefix(first, string(came)) {
		t.Errorf("%d bytes came (%v), which do not begin the first value", len(came), err)
	}
	await(t, "all buffers to be given back", func() bool { _, buffers := heldBy(s); return buffers == 0 })
}

// A value that has begun when the proxy is shut down is passed on to its end.
func TestStreamIsEndedBeforeShutdown(t *testing.T) {
	gate := make(chan bool)
	reply := valueOf("k", 200_000, false)
	s := newServer(1, playedUpstream(t, "tcp", func(conn net.Conn, _ []string) {
		_, _ = io.WriteString(conn, reply[:100_000])
		<-gate
		_, _ = io.WriteString(conn, reply[100_000:])
	}))
	s.shared.Config.Drain = 20 * time.Second
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	conn := dialServer(t, s)
	exchange(t, conn, "get k\r\n", reply[:100_000])
	ended := make(chan struct{})
	go func() { s.Shutdown(); close(ended) }()
	await(t, "the clients to be asked to leave", func() bool {
		leaving := false
		onLoops(s, func(l *front.Loop) { leaving = len(l.Clients.Leaving) > 0 })
		return leaving
	})
	gate <- true
	if rest, err := io.ReadAll(conn); err != nil || string(rest) != reply[100_000:] {
		t.Errorf("%d bytes came (%v), expected %d", len(rest), err, len(reply)-100_000)
	}
	<-ended
}
