package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// reloads are configurations that differ in servers, pools and listeners.
func reloads(t *testing.T, s *pools) (configs []config.Config) {
	t.Helper()
	template := s.shared.Config.Pools[0]
	for range 3 {
		s.stores = append(s.stores, newStore(t, fmt.Sprintf("store%d", len(s.stores))))
	}
	for _, servers := range [][]int{{0, 2, 3}, {0, 2}, {2, 3, 4}, {0}, {4, 3, 2, 0}} {
		for _, extra := range []bool{false, true} {
			c := s.shared.Config
			var main []*store
			for _, n := range servers {
				main = append(main, s.stores[n])
			}
			c.Pools = []config.Pool{poolOf(template, "main", main...)}
			c.Listeners = append([]config.Listener(nil), s.shared.Config.Listeners...)
			if extra {
				c.Pools = append(c.Pools, poolOf(template, "extra", s.stores[1]))
				c.Listeners[0].Routes = []config.Route{{Prefix: "extra:", Pool: "extra"}, {Pool: "main"}}
				c.Listeners = append(c.Listeners, config.Listener{Address: listen.Address{Network: "unix", Address: s.extra}, SocketMode: 0o700, Routes: []config.Route{{Pool: "extra"}}})
			}
			configs = append(configs, c)
		}
	}
	return configs
}

// Servers, pools and listeners come and go under a pipelined load of commands and verbs: no
// reply is wrong, nothing is refused, and after each reload the keys are where its
// configuration says.
func TestReloadUnderLoad(t *testing.T) {
	s := newPools(t, "main", "extra")
	s.shared.Config.Pools, s.extra = s.shared.Config.Pools[:1], t.TempDir()+"/extra"
	s.shared.Config.Loops = 2
	start(t, s.Server)
	configs := reloads(t, s)
	var stop atomic.Bool
	var load sync.WaitGroup
	for n := range 4 {
		conn := dialServer(t, s.Server)
		load.Go(func() { loadUntil(t, conn, n, &stop) })
	}
	direct := dialServer(t, s.Server)
	for i := range 40 {
		c := configs[i*7%len(configs)]
		if err := s.Reload(c); err != nil {
			t.Fatal(err)
		}
		checkPlaces(t, s, direct, &c.Pools[0], i)
	}
	stop.Store(true)
	load.Wait()
	if err := s.Reload(configs[6]); err != nil { // with one server
		t.Fatal(err)
	}
	await(t, "what is not used any more to be closed", func() bool {
		closed := true
		onLoops(s.Server, func(l *front.Loop) { closed = closed && len(l.Pools.Members) == 1 && len(l.Pools.Retired) == 0 })
		return closed
	})
}

// checkPlaces sets keys through the proxy, and finds them where the layout says.
func checkPlaces(t *testing.T, s *pools, conn net.Conn, p *config.Pool, round int) {
	t.Helper()
	for i := range 10 {
		key, value := fmt.Sprintf("place%d", i), fmt.Sprintf("%08d", round)
		exchange(t, conn, "set "+key+" 0 0 8\r\n"+value+"\r\n", "STORED\r\n")
		owner := p.Upstreams[p.Layout.Locate([]byte(key))].Name
		for _, st := range s.stores {
			if st.name == owner {
				exchange(t, st.dial(t), "get "+key+"\r\n", "VALUE "+key+" 0 8\r\n"+value+"\r\nEND\r\n")
			}
		}
	}
}

// loadUntil sends batches of commands and verbs on keys of client n, and checks the replies:
// a key may miss because it has moved, but what is found was written.
func loadUntil(t *testing.T, conn net.Conn, n int, stop *atomic.Bool) {
	in := bufio.NewReader(conn)
	for batch := 0; !stop.Load(); batch++ {
		var out strings.Builder
		for i := range 50 {
			fmt.Fprintf(&out, "set k%d:%d 0 0 8\r\n%08d\r\nget k%d:%d\r\nsadd s%d:%d m\r\nsismember s%d:%d m\r\n", n, i, batch, n, i, n, i, n, i)
		}
		written := make(chan error, 1)
		go func() {
			_, err := io.WriteString(conn, out.String())
			written <- err
		}()
		for i := range 50 {
			if err := checkReplies(in, n, i, batch); err != nil {
				t.Error(err)
				return
			}
		}
		if err := <-written; err != nil {
			t.Error(err)
			return
		}
	}
}

// checkReplies reads the replies to what loadUntil asks about key i.
func checkReplies(in *bufio.Reader, n, i, batch int) error {
	lines := make([]string, 0, 6)
	read := func() string {
		line, err := in.ReadString('\n')
		if err != nil {
			line = err.Error()
		}
		lines = append(lines, line)
		return line
	}
	ok := read() == "STORED\r\n"
	switch line := read(); line {
	case "END\r\n":
	case fmt.Sprintf("VALUE k%d:%d 0 8\r\n", n, i):
		var found int
		_, err := fmt.Sscanf(read(), "%08d", &found)
		ok = ok && err == nil && found <= batch && read() == "END\r\n"
	default:
		ok = false
	}
	ok = ok && read() == "STORED\r\n"
	member := read()
	if ok = ok && (member == "1\r\n" || member == "NOT_FOUND\r\n"); !ok {
		return fmt.Errorf("key %d of client %d, batch %d: the replies are %q", i, n, batch, lines)
	}
	return nil
}

// A configuration that can't be used changes nothing.
func TestReloadThatFails(t *testing.T) {
	s := newPools(t, "main", "extra")
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set k 0 0 1\r\na\r\n", "STORED\r\n")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	c := s.shared.Config
	c.Pools = c.Pools[1:]
	c.Listeners = []config.Listener{
		{Address: listen.Address{Network: "unix", Address: t.TempDir() + "/s"}, SocketMode: 0o700, Routes: []config.Route{{Pool: "extra"}}},
		{Address: listen.Address{Network: "tcp", Address: taken.Addr().String()}, Routes: []config.Route{{Pool: "extra"}}},
	}
	if err := s.Reload(c); err == nil || !strings.Contains(err.Error(), "cannot listen on "+taken.Addr().String()) {
		t.Fatalf("Reload returned %v", err)
	}
	if _, err := net.Dial("unix", c.Listeners[0].Address.Address); err == nil {
		t.Error("the listener that could be opened is still open")
	}
	exchange(t, conn, "get k\r\n", "VALUE k 0 1\r\na\r\nEND\r\n")
	exchange(t, dialServer(t, s.Server), "get k\r\n", "VALUE k 0 1\r\na\r\nEND\r\n")
}

// Servers that remain keep their connections, pools that have not changed keep everything, and
// the counts of a pool go on.
func TestReloadKeepsConnections(t *testing.T) {
	s := newPools(t, "main", "extra", "other")
	s.shared.Config.Pools[0] = poolOf(s.shared.Config.Pools[0], "main", s.stores[0], s.stores[1])
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "get k\r\n", "END\r\n")
	kept := func() (epochs []uint32) {
		onLoops(s.Server, func(l *front.Loop) {
			for _, u := range l.Pools.Current[0].All {
				if u.State == upstream.Up {
					epochs = append(epochs, u.Epoch)
				}
			}
		})
		return epochs
	}
	var extra *route.Pool
	onLoops(s.Server, func(l *front.Loop) { extra = l.Pools.Current[1] })
	c := s.shared.Config
	c.Pools = append([]config.Pool{poolOf(s.shared.Config.Pools[0], "main", s.stores[1], s.stores[0])}, c.Pools[1:]...)
	if err := s.Reload(c); err != nil {
		t.Fatal(err)
	}
	if epochs := kept(); len(epochs) != 2 || epochs[0]+epochs[1] != 3 {
		t.Errorf("the connections of the upstreams that are up are %v, expected the first ones of both", epochs)
	}
	onLoops(s.Server, func(l *front.Loop) {
		if l.Pools.Current[1] != extra {
			t.Error("a pool that has not changed was replaced")
		}
	})
	exchange(t, conn, "get k\r\n", "END\r\n")
	ask(t, conn, "stats\r\n")
	if told := readStats(t, conn); told["get_misses"] != "2" {
		t.Errorf("get_misses is %s after 2", told["get_misses"])
	}
}

// The clients of a listener that is removed get the replies to what they have asked for.
func TestReloadRemovesAListener(t *testing.T) {
	s := newPools(t, "main")
	gate := make(chan struct{})
	s.shared.Config.Pools[0].Upstreams = []config.Upstream{gatedUpstream(t, gate)}
	s.shared.Config.Listeners = append(s.shared.Config.Listeners, config.Listener{Address: listen.Address{Network: "unix", Address: t.TempDir() + "/s"}, SocketMode: 0o700, Routes: []config.Route{{Pool: "main"}}})
	start(t, s.Server)
	conn := dialListener(t, s, 1)
	ask(t, conn, "get k\r\n")
	await(t, "the request to be sent", func() (sent bool) {
		onLoops(s.Server, func(l *front.Loop) { sent = l.Pools.Current[0].All[0].InFlight() > 0 })
		return sent
	})
	c := s.shared.Config
	c.Listeners = c.Listeners[:1]
	c.Pools = []config.Pool{poolOf(c.Pools[0], "main", newStore(t, "store"))}
	if err := s.Reload(c); err != nil {
		t.Fatal(err)
	}
	close(gate)
	if reply, err := io.ReadAll(conn); string(reply) != "END\r\n" || err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the reply is %q, %v", reply, err)
	}
	await(t, "the upstream to be closed", func() (closed bool) {
		onLoops(s.Server, func(l *front.Loop) { closed = len(l.Pools.Members) == 1 })
		return closed
	})
}

// Requests that wait for an upstream go to the one that has their key after a reload.
func TestWaitingRequestsAfterAReload(t *testing.T) {
	s, outcome := startLate(t)
	defer close(outcome)
	conn := dialServer(t, s)
	ask(t, conn, "get a\r\n")
	awaitWaiting(t, s, 0, 1)
	c := s.shared.Config
	c.Pools = []config.Pool{poolOf(c.Pools[0], "main", newStore(t, "store"))}
	if err := s.Reload(c); err != nil {
		t.Fatal(err)
	}
	exchange(t, conn, "", "END\r\n")
}

// A pool is replaced when a setting differs that the proxy knows nothing of, and left alone when none does. Its
// connections remain if the setting says so.
func TestReloadComparesAllSettings(t *testing.T) {
	s := newPools(t, "main")
	start(t, s.Server)
	reload := func(settings ...config.Setting) *config.SharedPool {
		t.Helper()
		c := s.shared.Config
		c.Pools = slices.Clone(c.Pools)
		c.Pools[0].Settings = settings
		if err := s.Reload(c); err != nil {
			t.Fatal(err)
		}
		return s.shared.Setup.Load().Pools[0]
	}
	servers := config.Setting{Name: "servers", Text: "a", AtOnce: true}
	first := reload(servers, config.Setting{Name: "new", Text: "one", AtOnce: false}, config.Setting{Name: "newer", Text: "one", AtOnce: true})
	if reload(first.Settings...) != first {
		t.Error("a pool is replaced that has the same settings")
	}
	second := reload(servers, config.Setting{Name: "new", Text: "one", AtOnce: false}, config.Setting{Name: "newer", Text: "other", AtOnce: true})
	if second == first || second.Remotes[0] != first.Remotes[0] {
		t.Error("a pool is not replaced when a setting differs, or its connections are")
	}
	if third := reload(servers, config.Setting{Name: "new", Text: "other", AtOnce: false}, config.Setting{Name: "newer", Text: "other", AtOnce: true}); third.Remotes[0] == second.Remotes[0] {
		t.Error("connections remain when a setting of theirs differs")
	}
}
