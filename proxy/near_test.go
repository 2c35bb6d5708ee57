package proxy

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/status"
)

// slowStore is an upstream whose items all hold the number of the changes that it has seen, or nothing. It answers a get of
// a key that contains "slow" only when it may.
type slowStore struct {
	mu      sync.Mutex
	changes int
	empty   bool
	large   int // bytes of each item besides the number
	asked   []string
	may     chan struct{} // closed when it may answer
}

func (u *slowStore) play(conn net.Conn, words []string) {
	if words[0] == "x" { // the data of the line before
		return
	}
	u.mu.Lock()
	if words[0] != "mn" {
		u.asked = append(u.asked, strings.Join(words, " "))
	}
	answer, may, changes := "", u.may, u.changes
	switch words[0] {
	case "get", "gets", "gat":
	case "flush_all":
		u.changes++
		answer = "OK\r\n"
	default:
		u.changes++
		answer = map[string]string{"delete": "DELETED\r\n", "touch": "TOUCHED\r\n", "md": "HD\r\n"}[words[0]]
		if answer == "" {
			answer = "STORED\r\n"
		}
	}
	empty, more := u.empty, strings.Repeat("x", u.large)
	u.mu.Unlock()
	if answer == "" {
		for _, key := range words[1:] {
			if strings.Contains(key, "slow") {
				<-may
			}
			if text := fmt.Sprint(changes) + more; !empty && strings.Contains(key, ":") {
				answer += fmt.Sprintf("VALUE %s 0 %d%s\r\n%s\r\n", key, len(text), map[string]string{"gets": " 7"}[words[0]], text)
			}
		}
		answer += "END\r\n"
	}
	_, _ = io.WriteString(conn, answer)
}

// lines returns what was asked since the last call.
func (u *slowStore) lines() (asked []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	asked, u.asked = u.asked, nil
	return asked
}

// expectAsked checks what was asked since the last check.
func (u *slowStore) expectAsked(t *testing.T, want ...string) {
	t.Helper()
	if got := u.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the upstream was asked %q, expected %q", got, want)
	}
}

// holds makes the upstream keep answers to itself until the result is called.
func (u *slowStore) holds() (release func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	may := make(chan struct{})
	u.may = may
	return sync.OnceFunc(func() { close(may) })
}

// startNear starts a proxy in front of a slowStore, which keeps values of keys that begin with n: for an hour.
func startNear(t *testing.T, loops int) (s *Server, u *slowStore) {
	t.Helper()
	u = &slowStore{}
	s = newServer(loops, playedUpstream(t, "unix", u.play))
	s.shared.Config.Pools[0].Near = []byprefix.Duration{{Text: "n:", For: time.Hour}}
	start(t, s)
	u.lines()
	return s, u
}

// one is the answer to a get of a key that holds a text.
func one(key, text string) string {
	return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, len(text), text)
}

// counted returns a count of all loops.
func counted(s *Server, what status.PoolCounter) (n uint64) {
	onLoops(s, func(l *front.Loop) { n += l.Pools.Current[0].Stats.Verbs.Pool[what] })
	return n
}

// A value is asked for once, and again after each change by a client of the process, in whatever form.
func TestNearValuesAreAskedForOnce(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	conn := dialServer(t, s)
	for range 3 {
		exchange(t, conn, "get n:a\r\n", one("n:a", "0"))
	}
	u.expectAsked(t, "get n:a")
	for i, change := range []string{"set n:a 0 0 1\r\nx", "set n:a 0 0 1 noreply\r\nx", "delete n:a", "delete n:a noreply", "touch n:a 1", "append n:a 0 0 1\r\nx", "flush_all", "flush_all noreply", "flush_all 10"} {
		ask(t, conn, change+"\r\n")
		if !strings.Contains(change, "noreply") {
			answer := map[string]string{"de": "DELETED\r\n", "to": "TOUCHED\r\n", "fl": "OK\r\n"}[change[:2]]
			if answer == "" {
				answer = "STORED\r\n"
			}
			exchange(t, conn, "", answer)
		}
		now := fmt.Sprint(i + 1)
		exchange(t, conn, "get n:a\r\n", one("n:a", now))
		if strings.Contains(change, "noreply") { // that was probably sent before the change had ended
			u.lines()
			exchange(t, conn, "get n:a\r\n", one("n:a", now))
		}
		exchange(t, conn, "get n:a\r\n", one("n:a", now))
		if asked := u.lines(); len(asked) > 2 || len(asked) > 0 && asked[len(asked)-1] != "get n:a" {
			t.Errorf("after %q the upstream was asked %q", change, asked)
		}
	}
	exchange(t, conn, "get b:a\r\nget b:a\r\ngets n:a\r\n", one("b:a", "9")+one("b:a", "9")+"VALUE n:a 0 1 7\r\n9\r\nEND\r\n")
	u.expectAsked(t, "get b:a", "get b:a", "gets n:a")
	if hits, asked := counted(s, status.NearHits), counted(s, status.NearAsked); hits < 11 || asked < 10 || hits+asked != 24 {
		t.Errorf("%d hits, and %d gets have asked", hits, asked)
	}
}

// A set of a value that is too large deletes the item before it is refused, and that is a change too.
func TestNearSeesTheDeletionOfARefusedSet(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	conn := dialServer(t, s)
	data := strings.Repeat("x", s.shared.Config.Pools[0].MaxItemSize+1)
	for i, set := range []string{"set n:a 0 0 %d\r\n", "ms n:a %d\r\n", "ms bjph %d b\r\n"} {
		for range 2 {
			exchange(t, conn, "get n:a\r\n", one("n:a", fmt.Sprint(i)))
		}
		u.lines()
		ask(t, conn, fmt.Sprintf(set, len(data))+data+"\r\n")
		if line := lineFrom(t, conn); !strings.HasPrefix(line, "SERVER_ERROR object too large") {
			t.Errorf("%q is answered with %q", set, line)
		}
		exchange(t, conn, "get n:a\r\n", one("n:a", fmt.Sprint(i+1)))
	}
}

// A multi-get asks only for what is not known, and keeps what it finds.
func TestNearMultiGets(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	conn := dialServer(t, s)
	exchange(t, conn, "get n:a b:a n:b\r\n", "VALUE n:a 0 1\r\n0\r\nVALUE b:a 0 1\r\n0\r\n"+one("n:b", "0"))
	u.expectAsked(t, "get n:a b:a n:b")
	exchange(t, conn, "get n:b\r\n", one("n:b", "0"))
	exchange(t, conn, "get n:c n:a n:a b:a\r\n", "VALUE n:c 0 1\r\n0\r\nVALUE n:a 0 1\r\n0\r\nVALUE n:a 0 1\r\n0\r\n"+one("b:a", "0"))
	u.expectAsked(t, "get n:c b:a")
	exchange(t, conn, "set n:a 0 0 1\r\nx\r\nget n:a n:b\r\n", "STORED\r\nVALUE n:a 0 1\r\n1\r\n"+one("n:b", "0"))
	u.expectAsked(t, "set n:a 0 0 1", "get n:a")
	exchange(t, conn, "get n:a n:b n:c\r\n", "VALUE n:a 0 1\r\n1\r\nVALUE n:b 0 1\r\n0\r\n"+one("n:c", "0"))
	u.expectAsked(t, "get n:a") // what was sent before the change had ended is not kept
	exchange(t, conn, "get n:a n:b n:c\r\n", "VALUE n:a 0 1\r\n1\r\nVALUE n:b 0 1\r\n0\r\n"+one("n:c", "0"))
	u.expectAsked(t)
	u.mu.Lock()
	u.empty = true
	u.mu.Unlock()
	exchange(t, conn, "get n:d n:e\r\nget n:d\r\n", "END\r\nEND\r\n")
	u.expectAsked(t, "get n:d n:e", "get n:d")
}

// Clients on any loop that ask for what is asked for wait for the answer, in the order of their other requests.
func TestNearGetsJoin(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 2)
	release := u.holds()
	defer release()
	var clients []net.Conn
	for range 6 {
		conn := dialServer(t, s)
		ask(t, conn, "mn\r\nget n:slow\r\nmn\r\n")
		clients = append(clients, conn)
	}
	await(t, "all but one to wait", func() bool { return counted(s, status.NearJoined) == 5 })
	release()
	for _, conn := range clients {
		exchange(t, conn, "", "MN\r\n"+one("n:slow", "0")+"MN\r\n")
	}
	asked := 0
	for _, line := range u.lines() {
		if line == "get n:slow" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the upstream was asked %d times", asked)
	}
}

// A change waits for the gets that its client has sent before and that wait for another client's: they must not see it.
func TestChangeWaitsForJoinedGets(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	release := u.holds()
	defer release()
	asks, changes, leaves := dialServer(t, s), dialServer(t, s), dialServer(t, s)
	ask(t, asks, "get n:slow\r\n")
	await(t, "the get to ask", func() bool { return counted(s, status.NearAsked) == 1 })
	ask(t, leaves, "get n:slow\r\n")
	ask(t, changes, "get n:slow\r\nset n:slow 0 0 1\r\nx\r\nget n:slow\r\n")
	await(t, "both gets to wait", func() bool { return counted(s, status.NearJoined) == 2 })
	_ = leaves.Close()
	await(t, "the upstream to be asked", func() bool { return strings.Join(u.lines(), "\n") == "get n:slow" })
	release()
	exchange(t, changes, "", one("n:slow", "0")+"STORED\r\n"+one("n:slow", "1"))
	exchange(t, asks, "", one("n:slow", "0"))
}

// When the upstream does not answer the get that others wait for, each of them asks by itself.
func TestJoinedGetsAskByThemselves(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	release := u.holds()
	defer release()
	first, second := dialServer(t, s), dialServer(t, s)
	ask(t, first, "get n:slow\r\n")
	await(t, "the get to ask", func() bool { return counted(s, status.NearAsked) == 1 })
	ask(t, second, "get n:slow\r\nmn\r\n")
	await(t, "the other to wait", func() bool { return counted(s, status.NearJoined) == 1 })
	onLoops(s, func(l *front.Loop) { l.Pools.Members[0].First.Fail("is lost") })
	for _, conn := range []net.Conn{first, second} {
		if line := lineFrom(t, conn); !strings.HasPrefix(line, "SERVER_ERROR") {
			t.Errorf("answered %q while the upstream is down", line)
		}
	}
	exchange(t, second, "", "MN\r\n")
	release()
	awaitUp(t, s)
	exchange(t, second, "get n:slow\r\n", one("n:slow", "0"))
}

// A large value is passed on as it arrives, and not kept: those who have joined its get ask by themselves.
func TestLargeValuesAreNotKept(t *testing.T) {
	t.Parallel()
	s, u := startNear(t, 1)
	u.mu.Lock()
	u.large = 100 << 10
	u.mu.Unlock()
	release := u.holds()
	defer release()
	first, second := dialServer(t, s), dialServer(t, s)
	ask(t, first, "get n:slow\r\nmn\r\n")
	await(t, "the get to ask", func() bool { return counted(s, status.NearAsked) == 1 })
	ask(t, second, "get n:slow\r\nmn\r\n")
	await(t, "the other to wait", func() bool { return counted(s, status.NearJoined) == 1 })
	release()
	value := "0" + strings.Repeat("x", 100<<10)
	large := one("n:slow", value) + "MN\r\n"
	exchange(t, first, "", large)
	exchange(t, second, "", large)
	exchange(t, first, "get n:slow n:other\r\nmn\r\n", strings.TrimSuffix(one("n:slow", value), "END\r\n")+one("n:other", value)+"MN\r\n")
	if hits := counted(s, status.NearHits); hits != 0 {
		t.Errorf("%d hits", hits)
	}
	if values, _ := s.shared.Setup.Load().Pools[0].Kept.Held(); values != 0 {
		t.Errorf("%d values are kept", values)
	}
}

// lineFrom reads a line, and no more.
func lineFrom(t *testing.T, conn net.Conn) string {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	line := make([]byte, 0, 100)
	for !strings.HasSuffix(string(line), "\r\n") {
		var b [1]byte
		if _, err := io.ReadFull(conn, b[:]); err != nil {
			t.Fatalf("%q, and then %v", line, err)
		}
		line = append(line, b[0])
	}
	return string(line)
}

// The keys of a route are kept as they are stored, and sent as their clients have them.
func TestNearKeysOfARoute(t *testing.T) {
	t.Parallel()
	u := &slowStore{}
	s := newServer(1, playedUpstream(t, "unix", u.play))
	s.shared.Config.Pools[0].Near = []byprefix.Duration{{Text: "n:", For: time.Hour}}
	s.shared.Config.Listeners[0].Routes[0].Prefix, s.shared.Config.Listeners[0].Routes[0].Strip = "s:", true
	s.shared.Config.Listeners[0].Routes = append(s.shared.Config.Listeners[0].Routes, s.shared.Config.Listeners[0].Routes[0])
	s.shared.Config.Listeners[0].Routes[1].Prefix, s.shared.Config.Listeners[0].Routes[1].Strip = "", false
	start(t, s)
	u.lines()
	conn := dialServer(t, s)
	for range 2 {
		exchange(t, conn, "get s:n:a\r\nget n:a\r\nget n:a s:n:a x\r\n", one("s:n:a", "0")+one("n:a", "0")+"VALUE n:a 0 1\r\n0\r\n"+one("s:n:a", "0"))
	}
	u.expectAsked(t, "get n:a", "get x", "get x")
	exchange(t, conn, "set s:n:a 0 0 1\r\nx\r\nget n:a\r\n", "STORED\r\n"+one("n:a", "1"))
	release := u.holds()
	ask(t, conn, "get s:n:slow\r\nget s:n:slow\r\n")
	await(t, "a get to wait", func() bool { return counted(s, status.NearJoined) == 1 })
	release()
	exchange(t, conn, "", one("s:n:slow", "1")+one("s:n:slow", "1"))
}
