package proxy

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// refusing is a server that answers gets by misses, and changes as it likes.
type refusing struct {
	answer  atomic.Value // to all else: a line, empty to close the connection
	accepts atomic.Int64 // connections so far
}

func (r *refusing) serve(conn net.Conn) {
	r.accepts.Add(1)
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	if !greet(conn, in) {
		return
	}
	for {
		line, err := in.ReadString('\n')
		answer, _ := r.answer.Load().(string)
		if strings.HasPrefix(line, "get ") {
			answer = "END\r\n"
		}
		if err != nil || answer == "" {
			return
		}
		_, _ = io.WriteString(conn, answer)
	}
}

// A server that refuses to have deleted, or flushed, what is outdated stays down as long as it does: it is
// tried again more and more rarely, and the log, clients and stats say why.
func TestServerThatRefusesToBeCleared(t *testing.T) {
	for request, why := range map[string]string{
		"delete k\r\n":  "refuses to delete what is outdated: SERVER_ERROR no",
		"flush_all\r\n": "can't be flushed on its return: SERVER_ERROR no",
	} {
		t.Run(strings.Fields(request)[0], func(t *testing.T) {
			t.Parallel()
			r, log := &refusing{}, &logged{}
			s := newServer(1, servedUpstream(t, "unix", r.serve))
			s.shared.Config.Pools[0].OnReturn = upstream.Delete
			s.shared.Log = slog.New(slog.NewTextHandler(log, nil))
			start(t, s)
			conn := dialServer(t, s)
			awaitPrefix(t, conn, request, "SERVER_ERROR upstream ") // the connection is closed
			r.answer.Store("SERVER_ERROR no\r\n")
			begin, before := time.Now(), r.accepts.Load()
			await(t, "some attempts", func() bool { return r.accepts.Load() >= before+4 })
			if took := time.Since(begin); took < (50+100+200)*time.Millisecond {
				t.Errorf("it was tried four times within %v", took)
			}
			await(t, "the reason", func() bool { return strings.HasSuffix(answerTo(t, conn, "get k\r\n"), " is down: "+why+"\r\n") })
			if text := answerTo(t, conn, "stats upstreams\r\n"); !strings.Contains(text, "STAT upstream_0_reason "+why+"\r\n") {
				t.Errorf("stats upstreams says %q", text)
			}
			if n := strings.Count(log.String(), `but stays down: what was changed or deleted while it was away can't be deleted there; make it accept that, or set on-return: keep"`); n != 1 {
				t.Errorf("%d lines say why it stays down:\n%s", n, log)
			}
			r.answer.Store("OK\r\n")
			if request != "flush_all\r\n" {
				r.answer.Store("DELETED\r\n")
			}
			await(t, "the return", func() bool { return answerTo(t, conn, "get k\r\n") == "END\r\n" })
			if text := answerTo(t, conn, "stats upstreams\r\n"); strings.Contains(text, "_reason ") {
				t.Errorf("stats upstreams of a server that is back says %q", text)
			}
		})
	}
}

// Pools with one server share what is outdated there, whatever they call it: the one that reaches it first
// deletes it, though the other, by which it was changed, is still cut off.
func TestTwoPoolsWithOneServer(t *testing.T) {
	s := newPools(t, "one", "two")
	sides := []*outage{{store: s.stores[0]}, {store: &store{s.stores[0].Store, "alias"}}}
	second := s.shared.Config.Listeners[0]
	second.Routes = []config.Route{{Pool: "two"}}
	s.shared.Config.Listeners, s.shared.Config.Loops = append(s.shared.Config.Listeners, second), 2
	for i := range s.shared.Config.Pools {
		p := &s.shared.Config.Pools[i]
		p.OnReturn, p.Layout = upstream.Delete, firstOnly{}
		p.Upstreams = []config.Upstream{{Name: sides[i].name, Network: "tcp", Address: "the same", Dial: sides[i].dial}}
	}
	start(t, s.Server)
	conns := []net.Conn{dialListener(t, s, 0), dialListener(t, s, 1)}
	keys := s.stale.Memory.Of("tcp:the same")
	for i, side := range sides {
		exchange(t, conns[0], "set k 0 0 3\r\nold\r\nset other 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
		other := 1 - i
		side.cut(t, s, true)
		awaitReply(t, conns[i], "set k 0 0 3\r\nnew\r\n", "SERVER_ERROR upstream "+side.name+" is down: cut off\r\n")
		if n := keys.Counts().Remembered; n != 1 {
			t.Fatalf("%d keys are remembered", n)
		}
		sides[other].cut(t, s, true)
		sides[other].cut(t, s, false)
		exchange(t, conns[other], "get k other\r\n", "VALUE other 0 1\r\nx\r\nEND\r\n")
		exchange(t, conns[other], "set k 0 0 5\r\nlater\r\n", "STORED\r\n")
		side.cut(t, s, false) // what has been deleted once stays
		exchange(t, conns[i], "get k other\r\n", "VALUE k 0 5\r\nlater\r\nVALUE other 0 1\r\nx\r\nEND\r\n")
		if c := keys.Counts(); c.Remembered != 0 || c.Deleted != uint64(i+1) {
			t.Errorf("%+v", c)
		}
	}
}

// A pool uses a server as soon as another one does, though its own next attempt is far away, and only the pool that
// has deleted a key says so.
func TestAPoolPromptsOthers(t *testing.T) {
	s := newPools(t, "one", "two")
	log := &logged{}
	s.shared.Log = slog.New(slog.NewTextHandler(log, nil))
	sides := []*outage{{store: s.stores[0]}, {store: &store{s.stores[0].Store, "alias"}}}
	s.shared.Config.Loops = 2
	for i := range s.shared.Config.Pools {
		p := &s.shared.Config.Pools[i]
		p.OnReturn, p.Layout = upstream.Delete, firstOnly{}
		p.Upstreams = []config.Upstream{{Name: sides[i].name, Network: "tcp", Address: "the same", Dial: sides[i].dial}}
	}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	for _, side := range sides {
		side.cut(t, s, true)
	}
	awaitReply(t, conn, "set k 0 0 1\r\nx\r\n", "SERVER_ERROR upstream "+sides[0].name+" is down: cut off\r\n")
	await(t, "the second pool to wait long", func() bool {
		waits := true
		onLoops(s.Server, func(l *front.Loop) {
			for _, u := range l.Pools.Members {
				waits = waits && (u.Name != "alias" || u.WaitLong())
			}
		})
		return waits
	})
	sides[1].off.Store(false)
	sides[0].cut(t, s, false)
	sides[1].cut(t, s, false)
	if text := log.String(); strings.Count(text, "were deleted there") != 1 || !strings.Contains(text, "were deleted there\" pool=one upstream="+sides[0].name+" keys=1\n") {
		t.Errorf("the log says\n%s", text)
	}
}

// A key is deleted as it was sent to the server, without the prefix that was stripped, whatever the form in
// which the client sent it; the key with the prefix is another one.
func TestStrippedKeysThatAreOutdated(t *testing.T) {
	s := newPools(t, "main", "sessions")
	o := &outage{store: s.stores[1]}
	s.shared.Config.Pools[1].OnReturn = upstream.Delete
	s.shared.Config.Pools[1].Upstreams[0].Dial = o.dial
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions", Strip: true}, {Pool: "main"}}
	start(t, s.Server)
	conn, direct := dialServer(t, s.Server), o.store.dial(t)
	exchange(t, direct, "set k1 0 0 1\r\na\r\nset k2 0 0 1\r\na\r\nset k3 0 0 1\r\na\r\nset s:k1 0 0 1\r\nb\r\nset s:k2 0 0 1\r\nb\r\nms YiBr 1 b\r\na\r\n",
		strings.Repeat("STORED\r\n", 5)+"HD\r\n")
	o.cut(t, s, true)
	awaitReply(t, conn, "touch s:k1 0\r\n", "SERVER_ERROR upstream "+o.name+" is down: cut off\r\n")
	ask(t, conn, "set s:k1 0 0 1 noreply\r\nn\r\n")
	for _, request := range []string{"delete s:k2\r\n", "md czprMw== b\r\n", "md czpiIGs= b\r\n"} { // s:k3, s:b k
		awaitPrefix(t, conn, request, "SERVER_ERROR ")
	}
	o.cut(t, s, false)
	exchange(t, direct, "get k1 k2 k3 s:k1 s:k2\r\nmg YiBr b\r\n", "VALUE s:k1 0 1\r\nb\r\nVALUE s:k2 0 1\r\nb\r\nEND\r\nEN\r\n")
}
