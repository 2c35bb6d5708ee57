package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// twofold is an upstream that records its requests, each with its connection. It
// answers a get of a key that contains "large" with a large value, and other requests
// briefly. For a key that begins with "held" it first waits for word.
type twofold struct {
	config.Upstream
	word    chan bool      // true to answer, false to close the connection
	refuses map[int]string // the answer instead of the version, by number of the connection; empty if it hangs

	mu    sync.Mutex
	conns int
	asked []string // the number of the connection, a space and the request
}

func startTwofold(t *testing.T, refuses map[int]string) *twofold {
	f := &twofold{word: make(chan bool, 100), refuses: refuses}
	f.Upstream = servedUpstream(t, "unix", f.serve)
	return f
}

func (f *twofold) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	f.mu.Lock()
	f.conns++
	number := f.conns
	f.mu.Unlock()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil || !f.answer(conn, in, number, strings.TrimSpace(line)) {
			return
		}
	}
}

// answer answers one request. It returns false if the connection must be closed.
func (f *twofold) answer(conn net.Conn, in *bufio.Reader, number int, line string) bool {
	words := strings.Fields(line)
	reply := ""
	switch words[0] {
	case "version":
		reply = "VERSION 1.6.38\r\n"
		if other, refused := f.refuses[number]; refused {
			_, _ = io.WriteString(conn, other)
			return other == ""
		}
	case "stats":
		reply = "END\r\n"
	case "get":
		f.note(number, line)
		if strings.HasPrefix(words[1], "held") && !<-f.word {
			return false
		}
		reply = twofoldReply(words[1])
	case "delete":
		f.note(number, line)
		reply = "DELETED\r\n"
	case "set":
		f.note(number, line)
		_, _ = in.ReadString('\n')
		reply = "STORED\r\n"
	}
	_, err := io.WriteString(conn, reply)
	return err == nil
}

func twofoldReply(key string) string {
	if strings.Contains(key, "large") {
		return valueOf(key, 100_000, false)
	}
	return valueOf(key, 10, false)
}

func (f *twofold) note(number int, line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, fmt.Sprintf("%d %s", number, line))
}

// has returns how often f got a request on a connection.
func (f *twofold) has(what string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, asked := range f.asked {
		if asked == what {
			n++
		}
	}
	return n
}

func (f *twofold) connections() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.conns
}

func awaitAsked(t *testing.T, f *twofold, what string) {
	t.Helper()
	await(t, "the upstream to be asked "+what, func() bool { return f.has(what) > 0 })
}

// awaitUp waits until the first upstream of the first loop is up again.
func awaitUp(t *testing.T, s *Server) {
	t.Helper()
	await(t, "the upstream to be up again", func() (isUp bool) {
		onLoops(s, func(l *front.Loop) { isUp = l.Pools.Current[0].All[0].State == upstream.Up })
		return isUp
	})
}

// dialLarge returns a client that gets large values, and waits until there is a
// second connection.
func dialLarge(t *testing.T, s *Server) net.Conn {
	t.Helper()
	conn := dialServer(t, s)
	await(t, "a second connection", func() (up bool) {
		exchange(t, conn, "get large\r\n", twofoldReply("large"))
		return hasSecond(s)
	})
	return conn
}

// hasSecond reports whether the first loop has a second connection.
func hasSecond(s *Server) (has bool) {
	onLoops(s, func(l *front.Loop) { has = l.Pools.Current[0].All[0].Bulk.State == upstream.Up })
	return has
}

// While a large reply is outstanding on the second connection, other clients are
// answered, and later requests of its client wait for it.
func TestLargeReplyHoldsUpItsClientOnly(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	large, other := dialLarge(t, s), dialServer(t, s)
	if _, err := io.WriteString(large, "get held-large\r\nset k 0 0 1\r\nx\r\nget k\r\nget large\r\n"); err != nil {
		t.Fatal(err)
	}
	awaitAsked(t, f, "2 get held-large")
	for range 100 {
		exchange(t, other, "get small\r\n", twofoldReply("small"))
	}
	if n := f.has("1 set k 0 0 1"); n > 0 {
		t.Error("the upstream was asked to set k before what the client had asked for earlier was answered")
	}
	f.word <- true
	exchange(t, large, "", twofoldReply("held-large")+"STORED\r\n"+twofoldReply("k")+twofoldReply("large"))
	if f.has("1 set k 0 0 1") != 1 || f.has("2 get k") != 1 {
		t.Errorf("the upstream was asked %q", f.asked)
	}
	exchange(t, other, "get small\r\n", twofoldReply("small"))
	if f.has("2 get small") > 0 {
		t.Error("a client of small values was served on the second connection")
	}
}

// A request for the second connection waits for the requests in flight on the first,
// even those without a reply.
func TestSecondConnectionWaitsForTheFirst(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	large, third, other := dialLarge(t, s), dialLarge(t, s), dialServer(t, s)
	if _, err := io.WriteString(other, "get held\r\n"); err != nil {
		t.Fatal(err)
	}
	awaitAsked(t, f, "1 get held")
	if _, err := io.WriteString(large, "mn\r\ndelete k noreply\r\nget large-one\r\n"); err != nil {
		t.Fatal(err)
	}
	exchange(t, large, "", "MN\r\n") // the request after it was read in the same turn
	exchange(t, third, "get large\r\n", twofoldReply("large"))
	if f.has("2 get large-one") > 0 {
		t.Error("the second connection was used while a request of the client was under way on the first")
	}
	f.word <- true
	exchange(t, large, "", twofoldReply("large-one"))
	exchange(t, other, "", twofoldReply("held"))
	if f.has("2 get large-one") != 1 {
		t.Errorf("the upstream was asked %q", f.asked)
	}
}

// While some clients get large values, or nothing is known about the sizes of values,
// only a few values are requested for a new client before the size of its own is known.
func TestFirstValuesOfNewClientAreFew(t *testing.T) {
	for name, before := range map[string]func(t *testing.T, s *Server){
		"where large values are about": func(t *testing.T, s *Server) { dialLarge(t, s) },
		"where nothing is known":       func(*testing.T, *Server) {},
	} {
		t.Run(name, func(t *testing.T) {
			f := startTwofold(t, nil)
			s := startServer(t, 1, f.Upstream)
			before(t, s)
			firstValuesAreFew(t, f, s)
		})
	}
}

func firstValuesAreFew(t *testing.T, f *twofold, s *Server) {
	conn := dialServer(t, s)
	if _, err := io.WriteString(conn, "get held-large"+strings.Repeat(" large", 99)+"\r\n"); err != nil {
		t.Fatal(err)
	}
	awaitAsked(t, f, "1 get held-large"+strings.Repeat(" large", 15))
	onLoops(s, func(l *front.Loop) {
		for c := range l.Clients.All {
			if _, n := c.Owed(); n > 32 {
				t.Errorf("%d values are under way", n)
			}
		}
	})
	f.word <- true
	exchange(t, conn, "", strings.TrimSuffix(twofoldReply("held-large"), "END\r\n"))
}

// However small a client's values were, only a limited number is requested before the
// size of the next ones is known.
func TestFewValuesAreUnderWayAfterSmallOnes(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	conn := dialServer(t, s)
	for range front.ConvincingValues + 20 {
		exchange(t, conn, "get small\r\n", twofoldReply("small"))
	}
	many := "get held" + strings.Repeat(" large", 99) + "\r\n"
	if _, err := io.WriteString(conn, strings.Repeat(many, 30)); err != nil {
		t.Fatal(err)
	}
	awaitAsked(t, f, strings.TrimSpace("1 "+many))
	onLoops(s, func(l *front.Loop) {
		for c := range l.Clients.All {
			if _, n := c.Owed(); n > front.MostExpected/front.LeastExpected+100 {
				t.Errorf("%d values are under way", n)
			}
		}
	})
}

// A client whose values have become small returns to the first connections.
func TestSmallValuesLeaveTheSecondConnection(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	conn := dialLarge(t, s)
	for range 40 {
		exchange(t, conn, "get small\r\n", twofoldReply("small"))
	}
	if f.has("2 get small") == 0 || f.has("1 get small") == 0 {
		t.Errorf("the upstream was asked %q", f.asked)
	}
}

// If a connection is lost with requests in flight, the other one is closed too.
func TestConnectionsAreLostTogether(t *testing.T) {
	for name, lose := range map[string]func(*pool.Member){
		"first":  func(u *pool.Member) { u.First.Fail("is lost") },
		"second": func(u *pool.Member) { u.Bulk.Fail("is lost") },
	} {
		t.Run(name, func(t *testing.T) {
			f := startTwofold(t, nil)
			s := startServer(t, 1, f.Upstream)
			large, other := dialLarge(t, s), dialServer(t, s)
			_, _ = io.WriteString(large, "get held-large\r\n")
			_, _ = io.WriteString(other, "get held\r\n")
			awaitAsked(t, f, "2 get held-large")
			awaitAsked(t, f, "1 get held")
			onLoops(s, func(l *front.Loop) { lose(l.Pools.Current[0].All[0]) })
			expectRefusal(t, bufio.NewReader(large), "is lost")
			expectRefusal(t, bufio.NewReader(other), "is lost")
			f.word <- false
			f.word <- false
			awaitUp(t, s)
			if n := connections(s); n != 2 {
				t.Errorf("there were %d first connections, expected 2", n)
			}
			exchange(t, dialLarge(t, s), "get small\r\n", twofoldReply("small"))
		})
	}
}

// A second connection that the upstream closes while nothing is in flight on it is
// opened again when it is needed, without an error.
func TestIdleSecondConnectionIsNoLoss(t *testing.T) {
	f := startTwofold(t, nil)
	s := startServer(t, 1, f.Upstream)
	large, other := dialLarge(t, s), dialServer(t, s)
	if _, err := io.WriteString(other, "get held\r\n"); err != nil {
		t.Fatal(err)
	}
	awaitAsked(t, f, "1 get held")
	onLoops(s, func(l *front.Loop) { l.Pools.Current[0].All[0].Bulk.Fail("closed the connection") })
	f.word <- true
	exchange(t, other, "", twofoldReply("held"))
	await(t, "a second connection", func() bool {
		exchange(t, large, "get large\r\n", twofoldReply("large"))
		return hasSecond(s)
	})
	if n := connections(s); n != 1 {
		t.Errorf("there were %d first connections", n)
	}
}

// An upstream that does not answer on the second connection is treated as down, as on
// the first.
func TestSilentSecondConnectionIsGivenUp(t *testing.T) {
	f := startTwofold(t, nil)
	s := newServer(1, f.Upstream)
	s.shared.Config.Pools[0].Timeout = 500 * time.Millisecond
	start(t, s)
	large := dialLarge(t, s)
	if _, err := io.WriteString(large, "get held-large\r\nset k 0 0 1\r\nx\r\n"); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(large)
	expectRefusal(t, in, "did not answer within 500ms")
	if line, err := in.ReadString('\n'); err != nil || line != "STORED\r\n" && !strings.HasPrefix(line, "SERVER_ERROR ") {
		t.Errorf("the second request was answered by %q (%v)", line, err)
	}
	f.word <- false
	awaitUp(t, s)
	if n := connections(s); n != 2 {
		t.Errorf("there were %d first connections, expected 2", n)
	}
	exchange(t, dialLarge(t, s), "get small\r\n", twofoldReply("small"))
}

// Without a second connection, clients get large values all the same.
func TestServedWithoutSecondConnection(t *testing.T) {
	for name, told := range map[string]string{"refused": "ERROR Too many open connections\r\n", "hanging": ""} {
		t.Run(name, func(t *testing.T) {
			f := startTwofold(t, map[int]string{2: told, 3: told})
			s := newServer(1, f.Upstream)
			s.shared.Config.Pools[0].Timeout = 300 * time.Millisecond
			start(t, s)
			exchange(t, dialLarge(t, s), "get small\r\n", twofoldReply("small"))
			if n, all := connections(s), f.connections(); n != 1 || all != 4 {
				t.Errorf("there were %d first connections, and %d in all", n, all)
			}
		})
	}
}

// numbers is text for values in which no two places look alike.
var numbers = func() string {
	var b strings.Builder
	for b.Len() < 2<<20 {
		fmt.Fprintf(&b, "%d,", b.Len())
	}
	return b.String()
}()

// valueOf is the reply to a get or mg of key, with a value of size bytes.
func valueOf(key string, size int, meta bool) string {
	if meta {
		return fmt.Sprintf("VA %d\r\n%s\r\n", size, numbers[:size])
	}
	return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, size, numbers[:size])
}
