package proxy

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/proxy/hosts"
)

// moving is a server with a host name that leads to one machine after another.
type moving struct {
	upstream Upstream

	mu      sync.Mutex
	address netip.Addr
	conns   map[string][]net.Conn
}

// startMoving starts machines on several addresses of the loopback interface and
// the same port.
func startMoving(t *testing.T, machines ...string) *moving {
	t.Helper()
	m := &moving{conns: map[string][]net.Conn{}}
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
	host := hosts.New("cache", port, m.lookup)
	m.upstream = Upstream{Name: "cache:" + port, Network: "tcp", Address: "cache:" + port,
		Dial: host.Dial, Ended: host.Ended, Check: host.Check}
	m.moveTo(machines[0])
	return m
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
		go answerAll(conn, "1.6.38", fmt.Appendf(nil, "VALUE k 0 %d\r\n%s\r\nEND\r\n", len(address), address))
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
