package proxy

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// startDeleting is startOutage for a pool from which outdated keys are deleted.
func startDeleting(t *testing.T, change func(*config.Pool)) (s *pools, o *outage) {
	t.Helper()
	s, o = newOutage(t, func(p *config.Pool) {
		p.OnReturn = upstream.Delete
		change(p)
	})
	s.shared.Config.Loops = 2
	start(t, s.Server)
	return s, o
}

// What should have replaced or deleted an item while its server was down leaves nothing there that is
// outdated, in whatever form it was sent. Other commands leave items as they are.
func TestWhatIsOutdated(t *testing.T) {
	s, o := startDeleting(t, func(*config.Pool) {})
	conn, packets := dialServer(t, s.Server), dialServer(t, s.Server)
	packet := func(op byte, key string, extras ...byte) string {
		head := make([]byte, 24)
		head[0], head[1], head[4] = 0x80, op, byte(len(extras))
		binary.BigEndian.PutUint16(head[2:], uint16(len(key)))
		binary.BigEndian.PutUint32(head[8:], uint32(len(key)+len(extras)))
		return string(head) + string(extras) + key
	}
	outdated := []string{
		"set %s 0 0 1\r\nn\r\n", "set %s 0 0 1 noreply\r\nn\r\n", "replace %s 0 0 1\r\nn\r\n", "cas %s 0 0 1 1\r\nn\r\n", "delete %s\r\n", "delete %s noreply\r\n",
		"ms %s 1\r\nn\r\n", "ms %s 1 MS q\r\nn\r\n", "ms %s 1 MR\r\nn\r\n", "ms %s 1 C1\r\nn\r\n", "md %s\r\n", "md %s I T9\r\n", "md %s q\r\n",
		"set %s 0 0 2000000\r\n" + strings.Repeat("x", 2000000) + "\r\n",
	}
	stays := []string{
		"add %s 0 0 1\r\nn\r\n", "append %s 0 0 1\r\nn\r\n", "prepend %s 0 0 1\r\nn\r\n", "incr %s 1\r\n", "decr %s 1\r\n", "touch %s 0\r\n", "gat 0 %s\r\n",
		"ms %s 1 ME\r\nn\r\n", "ms %s 1 MA\r\nn\r\n", "ms %s 1 MP\r\nn\r\n", "ma %s\r\n", "mg %s N9 T9\r\n", "sadd %s m\r\n", "get %s\r\n",
	}
	packeted := map[string]string{"kset": packet(0x01, "kset", make([]byte, 8)...), "kdelete": packet(0x04, "kdelete"), "kdeleteq": packet(0x14, "kdeleteq"), "ksetq": packet(0x11, "ksetq", make([]byte, 8)...)}
	direct := s.stores[2].dial(t)
	var expected strings.Builder
	ask(t, direct, "ms ayA= 1 b\r\n7\r\n") // "k "
	exchange(t, direct, "", "HD\r\n")
	for i := range len(outdated) + len(stays) {
		exchange(t, direct, fmt.Sprintf("set k%d 0 0 1\r\n7\r\n", i), "STORED\r\n")
	}
	for key := range packeted {
		exchange(t, direct, "set "+key+" 0 0 1\r\n7\r\n", "STORED\r\n")
	}
	o.cut(t, s, true)
	for i, request := range append(outdated, stays...) {
		ask(t, conn, fmt.Sprintf(request, fmt.Sprintf("k%d", i)))
		if i >= len(outdated) {
			fmt.Fprintf(&expected, "VALUE k%d 0 1\r\n7\r\n", i)
		}
	}
	ask(t, conn, "md ayA= b\r\n")
	for _, request := range packeted {
		ask(t, packets, request)
	}
	await(t, "all requests to be refused", func() bool {
		return s.shared.Setup.Load().Pools[0].Remotes[1].Outdated().Remembered == len(outdated)+len(packeted)+1
	})
	o.cut(t, s, false)
	get := "get"
	for i := range len(outdated) + len(stays) {
		get += fmt.Sprintf(" k%d", i)
	}
	exchange(t, direct, get+" kset kdelete kdeleteq ksetq\r\n", expected.String()+"END\r\n")
	exchange(t, direct, "mg ayA= b\r\n", "EN\r\n")
}

// Copies in the spare pool go with the outdated items, and an add makes an item outdated if it was taken.
func TestCopiesInASpareGo(t *testing.T) {
	s, o := startDeleting(t, func(p *config.Pool) { p.OnDown, p.Spare, p.SpareTTL = config.Spare, "spare", time.Hour })
	conn, spare, direct := dialServer(t, s.Server), s.stores[1].dial(t), s.stores[2].dial(t)
	for _, key := range []string{"k1", "k2", "k3", "k4", "k5"} {
		exchange(t, direct, "set "+key+" 0 0 3\r\nold\r\n", "STORED\r\n")
	}
	exchange(t, spare, "set k3 0 0 5\r\nother\r\n", "STORED\r\n")
	o.cut(t, s, true)
	exchange(t, conn, "set k1 0 0 3\r\nnew\r\nadd k2 0 0 3\r\nnew\r\nadd k3 0 0 3\r\nnew\r\ndelete k4\r\n", "STORED\r\nSTORED\r\nNOT_STORED\r\nNOT_FOUND\r\n")
	exchange(t, spare, "get k1 k2\r\n", "VALUE k1 0 3\r\nnew\r\nVALUE k2 0 3\r\nnew\r\nEND\r\n")
	o.cut(t, s, false)
	exchange(t, spare, "get k1 k2 k3\r\n", "VALUE k3 0 5\r\nother\r\nEND\r\n")
	exchange(t, conn, "get k1 k2 k3 k4 k5\r\n", "VALUE k3 0 3\r\nold\r\nVALUE k5 0 3\r\nold\r\nEND\r\n")
}

// A flush_all that a server has missed is made up for.
func TestMissedFlush(t *testing.T) {
	s, o := startDeleting(t, func(*config.Pool) {})
	conn, direct := dialServer(t, s.Server), s.stores[2].dial(t)
	exchange(t, direct, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
	o.cut(t, s, true)
	awaitReply(t, conn, "flush_all\r\n", "SERVER_ERROR upstream second is down: cut off\r\n")
	o.cut(t, s, false)
	exchange(t, direct, "get k\r\n", "END\r\n")
}

// A pool that is read-only deletes nothing, whoever has made keys outdated.
func TestReadOnlyPoolDeletesNothing(t *testing.T) {
	s, o := startDeleting(t, func(p *config.Pool) { p.Guard.ReadOnly = true })
	direct := s.stores[2].dial(t)
	exchange(t, direct, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
	o.cut(t, s, true)
	s.stale.Memory.Of("second").Add([]byte("k"), "")
	o.cut(t, s, false)
	exchange(t, direct, "get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
}

// More keys than are remembered: with Delete the others stay, and with Flush everything goes.
func TestMoreIsOutdatedThanIsRemembered(t *testing.T) {
	for policy, answer := range map[upstream.OnReturn]string{upstream.Delete: "VALUE k 0 1\r\nx\r\nEND\r\n", upstream.Flush: "END\r\n", upstream.Keep: "VALUE k 0 1\r\nx\r\nEND\r\n"} {
		s, o := startDeleting(t, func(p *config.Pool) { p.OnReturn = policy })
		direct := s.stores[2].dial(t)
		exchange(t, direct, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
		for range 2 { // the second outage is like any other
			o.cut(t, s, true)
			o.cut(t, s, false)
			exchange(t, direct, "get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
		}
		o.cut(t, s, true)
		keys := s.stale.Memory.Of("second")
		for i := range 100_001 {
			keys.Add(fmt.Appendf(nil, "key%d", i), "")
		}
		o.cut(t, s, false)
		exchange(t, direct, "get k\r\n", answer)
		if n := keys.Counts().Remembered; n != 0 && policy != upstream.Keep {
			t.Errorf("%d keys are still remembered", n)
		}
	}
}

// No loop uses a server that is back before all have a connection.
func TestAllLoopsReturnAtOnce(t *testing.T) {
	s, o := newOutage(t, func(p *config.Pool) { p.OnReturn = upstream.Delete })
	s.shared.Config.Loops = 2
	var slow atomic.Bool
	gate := make(chan struct{})
	var first sync.Once
	s.shared.Config.Pools[0].Upstreams[1].Dial = func(ctx context.Context) (net.Conn, error) {
		holds := false
		if slow.Load() {
			first.Do(func() { holds = true })
		}
		if holds {
			<-gate
		}
		return o.dial(ctx)
	}
	s.shared.Config.Pools[0].ConnectTimeout = time.Minute
	start(t, s.Server)
	conns := []net.Conn{dialServer(t, s.Server), dialServer(t, s.Server), dialServer(t, s.Server)}
	exchange(t, conns[0], "set k 0 0 3\r\nold\r\n", "STORED\r\n")
	o.cut(t, s, true)
	slow.Store(true)
	o.off.Store(false)
	await(t, "one loop to have a connection", func() bool {
		connected := 0
		onLoops(s.Server, func(l *front.Loop) {
			if l.Pools.Members[1].First.Connected() {
				connected++
			}
		})
		return connected > 0
	})
	refused := "SERVER_ERROR upstream second is down: "
	for _, conn := range conns {
		awaitPrefix(t, conn, "delete k\r\n", refused)
	}
	close(gate)
	for _, conn := range conns {
		await(t, "the return", func() bool { return strings.HasPrefix(answerTo(t, conn, "get k\r\n"), "END") })
	}
}

// awaitPrefix fails the test unless the reply begins as expected.
func awaitPrefix(t *testing.T, conn net.Conn, request, prefix string) {
	t.Helper()
	if reply := answerTo(t, conn, request); !strings.HasPrefix(reply, prefix) {
		t.Errorf("%q was answered by %q", request, reply)
	}
}

// answerTo returns what is answered to a request, if it arrives at once.
func answerTo(t *testing.T, conn net.Conn, request string) string {
	t.Helper()
	ask(t, conn, request)
	buf := make([]byte, 4096)
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	n, _ := conn.Read(buf)
	return string(buf[:n])
}

// An idle connection that is closed is replaced: nothing is refused, and nothing deleted.
func TestIdleConnectionIsReplaced(t *testing.T) {
	s, o := newOutage(t, func(p *config.Pool) { p.OnReturn = upstream.Flush })
	s.shared.Config.Loops = 2
	var mu sync.Mutex
	var dialled []net.Conn
	s.shared.Config.Pools[0].Upstreams[1].Dial = func(ctx context.Context) (net.Conn, error) {
		conn, err := o.dial(ctx)
		mu.Lock()
		defer mu.Unlock()
		dialled = append(dialled, conn)
		return conn, err
	}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
	onLoops(s.Server, func(l *front.Loop) { l.Pools.Members[1].BeLongUp() })
	onLoops(s.Server, func(l *front.Loop) {
		if l == s.shared.Loops[0] {
			l.Pools.Members[1].First.Closed(nil)
		}
	})
	for range 4 {
		exchange(t, dialServer(t, s.Server), "get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
	}
	await(t, "another connection", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(dialled) == 3
	})
	if n := s.shared.Setup.Load().Pools[0].Remotes[1].Outage().Count; n != 0 {
		t.Errorf("%d outages", n)
	}
}

// A get that was sent to a server before that failed goes to the spare pool.
func TestLostGetGoesToTheSpare(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	s := newPools(t, "main", "spare")
	main := &s.shared.Config.Pools[0]
	main.Upstreams = append(main.Upstreams, gatedUpstream(t, gate))
	main.Layout, main.OnDown, main.Spare, main.SpareTTL = byPlace{}, config.Spare, "spare", time.Minute
	start(t, s.Server)
	exchange(t, dialServer(t, s.Server), "set a 0 0 1\r\nm\r\n", "STORED\r\n")
	spare := s.stores[1].dial(t)
	exchange(t, spare, "set k1 0 0 1\r\nx\r\nset k2 5 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")
	replies := map[string]string{
		"get k1\r\n":      "VALUE k1 0 1\r\nx\r\nEND\r\n",
		"get k3\r\n":      "END\r\n",
		"get k2 a k1\r\n": "VALUE k2 5 1\r\ny\r\nVALUE a 0 1\r\nm\r\nVALUE k1 0 1\r\nx\r\nEND\r\n",
		"gets k1\r\n":     "SERVER_ERROR upstream " + main.Upstreams[1].Name + " is lost\r\n",
	}
	conns := map[string]net.Conn{}
	for request := range replies {
		conns[request] = dialServer(t, s.Server)
		ask(t, conns[request], request)
	}
	await(t, "the requests to be sent", func() (sent bool) {
		onLoops(s.Server, func(l *front.Loop) { sent = l.Pools.Members[1].InFlight() == len(replies) })
		return sent
	})
	onLoops(s.Server, func(l *front.Loop) { l.Pools.Members[1].First.Fail("is lost") })
	for request, reply := range replies {
		exchange(t, conns[request], "", reply)
	}
}
