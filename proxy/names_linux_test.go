package proxy

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// moving is a server with a host name that leads to one machine after another.
type moving struct {
	upstream config.Upstream

	mu      sync.Mutex
	address netip.Addr
	conns   map[string][]net.Conn
	open    chan struct{} // closed while the machines answer
}

// gate returns a channel that is closed when the machines may answer.
func (m *moving) gate() chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open
}

// hold makes the machines not answer what they are asked before answerAgain, until the function it returns is
// called.
func (m *moving) hold() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := make(chan struct{})
	m.open = held
	return func() { close(held) }
}

// answerAgain makes the machines answer what they are asked from now on.
func (m *moving) answerAgain() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open = make(chan struct{})
	close(m.open)
}

// startMoving starts machines on several addresses of the loopback interface and
// the same port.
func startMoving(t *testing.T, machines ...string) *moving {
	t.Helper()
	m := &moving{conns: map[string][]net.Conn{}}
	m.answerAgain()
	port := "0"
	for _, address := range machines {
		l, err := net.Listen("tcp", net.JoinHostPort(address, port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		_, port, _ = net.SplitHostPort(l.Addr().String())
		go m.serve(l, address)
	}
	m.upstream = hosted("cache:"+port, hosts.New("cache", port, m.lookup))
	m.moveTo(machines[0])
	return m
}

// hosted returns the server of a host, as package main does.
func hosted(name string, host *hosts.Host) config.Upstream {
	return config.Upstream{
		Name: name, Network: "tcp", Address: name,
		Resolve: host.Resolve, Dial: host.Dial, Ended: host.Ended, Check: host.Check, Leads: host.Address, Leave: host.Leave,
		Look: func(ctx context.Context) (*config.Upstream, error) {
			other, err := host.Look(ctx)
			if other == nil || err != nil {
				return nil, err
			}
			next := hosted(name, other)
			return &next, nil
		},
	}
}

func (m *moving) serve(l net.Listener, address string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		m.mu.Lock()
		m.conns[address] = append(m.conns[address], conn)
		m.mu.Unlock()
		go playAll(conn, bufio.NewReader(conn), func(conn net.Conn, _ []string) {
			<-m.gate()
			_, _ = fmt.Fprintf(conn, "VALUE k 0 %d\r\n%s\r\nEND\r\n", len(address), address)
		})
	}
}

// lookup returns the addresses of the name.
func (m *moving) lookup(context.Context, string) ([]netip.Addr, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return []netip.Addr{m.address}, nil
}

func (m *moving) moveTo(address string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.address = netip.MustParseAddr(address)
}

// connections returns how many connections a machine has accepted.
func (m *moving) connections(address string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.conns[address])
}

// hangUp makes a machine close its connection number n, or all if n is negative.
func (m *moving) hangUp(address string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, conn := range m.conns[address] {
		if i == n || n < 0 {
			_ = conn.Close()
		}
	}
}

// answers gets a key on clients of all loops, and reports whether address has answered
// all.
func answers(t *testing.T, clients []net.Conn, address string) bool {
	t.Helper()
	all := true
	for _, c := range clients {
		if _, err := c.Write([]byte("get k\r\n")); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(line, "VALUE") {
			all = false
			continue
		}
		value, _ := in.ReadString('\n')
		_, _ = in.ReadString('\n')
		all = all && value == address+"\r\n"
	}
	return all
}

// All loops use the same machine, though its name leads to another by now. They move to
// that when none of them has a connection any more.
func TestNameThatMoves(t *testing.T) {
	t.Parallel()
	const old, young = "127.0.0.1", "127.0.0.2"
	m := startMoving(t, old, young)
	s := startServer(t, 3, m.upstream)
	clients := []net.Conn{dialServer(t, s), dialServer(t, s), dialServer(t, s)}
	await(t, "the first machine", func() bool { return answers(t, clients, old) })

	m.moveTo(young)
	m.hangUp(old, 0)
	await(t, "the loop to connect again", func() bool { return m.connections(old) == 4 })
	await(t, "all to be answered by the first machine", func() bool { return answers(t, clients, old) })
	if n := m.connections(young); n > 0 {
		t.Errorf("%d connections to the second machine while there are some to the first", n)
	}

	m.hangUp(old, -1)
	await(t, "the second machine", func() bool { return answers(t, clients, young) })
}

// A server whose name leads to another machine is left for that, by all loops, while it lives. What it
// was asked for before is answered by it.
func TestNameThatMovesWhileTheOldServerLives(t *testing.T) {
	t.Parallel()
	const old, young = "127.0.0.1", "127.0.0.2"
	m := startMoving(t, old, young)
	s := newServer(3, m.upstream)
	log := &logged{}
	s.shared.Log = slog.New(slog.NewTextHandler(log, nil))
	s.shared.Config.Pools[0].Agreement = "0a4437f130e0"
	start(t, s)
	clients := []net.Conn{dialServer(t, s), dialServer(t, s), dialServer(t, s)}
	await(t, "the first machine", func() bool { return answers(t, clients, old) })
	fingerprint := func() string {
		setup := s.shared.Setup.Load()
		return setup.Fingerprint(setup.Pools[0])
	}
	before := fingerprint()

	release := m.hold()
	ask(t, clients[0], "get k\r\n")
	await(t, "the first machine to be asked", func() (asked bool) {
		onLoops(s, func(l *front.Loop) { asked = asked || l.Pools.Members[0].InFlight() > 0 })
		return asked
	})
	m.answerAgain()
	m.moveTo(young)
	s.LookAgain()
	await(t, "the second machine", func() bool { return answers(t, clients[1:], young) })
	release()
	exchange(t, clients[0], "", fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(old), old))
	if !answers(t, clients, young) {
		t.Error("a client is not answered by the second machine")
	}
	if after := fingerprint(); after == before || len(after) != len(before) {
		t.Errorf("the fingerprint is %q, and was %q", after, before)
	}
	await(t, "the connections to the first machine to be closed", func() bool {
		left := 0
		onLoops(s, func(l *front.Loop) { left += len(l.Pools.Members) - 1 })
		return left == 0
	})
	if !strings.Contains(log.String(), `msg="upstream has moved: its name leads to another machine, which is another server with other items" upstream=cache:`) {
		t.Errorf("the log does not tell of the move:\n%s", log)
	}

	m.moveTo(old) // it may have outdated values by now
	s.LookAgain()
	await(t, "the first machine again", func() bool { return answers(t, clients, old) })
	if n := s.shared.Setup.Load().Pools[0].Remotes[0].Outage().Count; n == 0 {
		t.Error("the first machine is not taken for one that returns")
	}
}

// A name that leads to a machine at which nothing listens is not followed, nor is one that changes all the
// time.
func TestNameThatIsNotFollowed(t *testing.T) {
	t.Parallel()
	const old = "127.0.0.1"
	m := startMoving(t, old)
	s := newServer(1, m.upstream)
	log := &logged{}
	s.shared.Log = slog.New(slog.NewTextHandler(log, nil))
	start(t, s)
	clients := []net.Conn{dialServer(t, s)}
	await(t, "the first machine", func() bool { return answers(t, clients, old) })
	m.moveTo("127.0.0.3")
	s.LookAgain()
	await(t, "a warning", func() bool { return strings.Contains(log.String(), "connection refused") })
	if !answers(t, clients, old) {
		t.Error("the first machine does not answer any more")
	}

	w := newWatch(s)
	for i := range 2 * mostMoves {
		for range 2 { // pools that have it
			if may := w.mayMove("cache", "cache alpha", fmt.Sprint(i)); may != (i < mostMoves) {
				t.Errorf("the move number %d: %v", i, may)
			}
		}
	}
	if n := strings.Count(log.String(), "it is not followed until that has passed"); n != 1 {
		t.Errorf("%d lines tell that the name changes all the time", n)
	}
	w.moves["cache"] = []followed{{time.Now().Add(-calm), "a"}, {time.Now(), "b"}, {time.Now(), "c"}}
	if !w.mayMove("cache", "cache", "d") {
		t.Error("a server may not move after a time of calm")
	}
}

// A server that several pools have moves in all of them, as often as if one pool had it.
func TestNameInSeveralPoolsThatMoves(t *testing.T) {
	t.Parallel()
	s := newPools(t, "one", "two", "three", "four")
	machine := 0
	var at func(n int, p *config.Pool) config.Upstream
	at = func(n int, p *config.Pool) config.Upstream {
		u := p.Upstreams[0]
		u.Network, u.Address = "tcp", "cache.test:11211"
		u.Leads, u.Leave = func() string { return fmt.Sprint(n) }, func() {}
		u.Look = func(context.Context) (*config.Upstream, error) {
			if n == machine {
				return nil, nil
			}
			next := at(machine, p)
			return &next, nil
		}
		return u
	}
	for i := range s.shared.Config.Pools {
		s.shared.Config.Pools[i].Upstreams[0] = at(0, &s.shared.Config.Pools[i])
	}
	start(t, s.Server)
	w := newWatch(s.Server)
	for machine = 1; machine <= mostMoves; machine++ {
		w.look()
		for _, p := range s.shared.Setup.Load().Pools {
			if got := p.Upstreams[0].Leads(); got != fmt.Sprint(machine) {
				t.Errorf("pool %s is at machine %s after the move to %d", p.Name, got, machine)
			}
		}
	}
}

// logged is what was logged.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
