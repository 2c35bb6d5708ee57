package proxy

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
)

// In a read-only pool everything that only reads is answered, and nothing else, in step.
func TestReadOnlyPool(t *testing.T) {
	s := newPools(t, "main")
	s.shared.Config.Pools[0].Guard.ReadOnly = true
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s.Server)
	direct, conn := s.stores[0].dial(t), dialServer(t, s.Server)
	exchange(t, direct, "set k 0 0 1\r\nx\r\nset s 0 0 3\r\n+a \r\n", "STORED\r\nSTORED\r\n")
	for _, allowed := range []struct{ request, reply string }{
		{"get k none\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n"},
		{"mg k v\r\n", "VA 1\r\nx\r\n"},
		{"smembers s\r\n", "VALUE s 0 1\r\na\r\nEND\r\n"},
		{"get verb/scard/s\r\n", "VALUE verb/scard/s 0 1\r\n1\r\nEND\r\n"},
		{"mn\r\n", "MN\r\n"},
	} {
		exchange(t, conn, allowed.request, allowed.reply)
	}
	long := "gat 0" + strings.Repeat(" k", 5000) + "\r\n"
	for _, request := range []string{
		"set k 0 0 1\r\ny\r\n", "add k 0 0 1\r\ny\r\n", "replace k 0 0 1\r\ny\r\n", "append k 0 0 1\r\ny\r\n", "prepend k 0 0 1\r\ny\r\n", "cas k 0 0 1 1\r\ny\r\n",
		"delete k\r\n", "incr k 1\r\n", "decr k 1\r\n", "touch k 0\r\n", "gat 0 k\r\n", "gats 0 k k\r\n", long, "flush_all\r\n",
		"ms k 1\r\ny\r\n", "md k\r\n", "ma k\r\n", "mg k v N30\r\n", "mg k T0\r\n", "mg k v R30\r\n",
		"sadd s b\r\n", "logput l 0 0 1\r\nx\r\n", "lock l t 9\r\n",
		"set verb/sadd/s 0 0 1\r\nb\r\n",
	} {
		exchange(t, conn, request+"mn\r\n", denial(request)+"MN\r\n")
	}
	exchange(t, conn, "set k 0 0 1 noreply\r\ny\r\nset k 0 0 2000000\r\n"+strings.Repeat("y", 2_000_000)+"\r\nmn\r\n", denial("set k")+"MN\r\n")
	exchange(t, direct, "get k s l\r\n", "VALUE k 0 1\r\nx\r\nVALUE s 0 3\r\n+a \r\nEND\r\n")
}

// denial returns the answer to a change in a read-only pool.
func denial(request string) string {
	name, _, _ := strings.Cut(request, " ")
	if strings.Contains(request, "verb/sadd") {
		name = "sadd"
	}
	return "CLIENT_ERROR " + strings.TrimSpace(name) + " is not allowed in pool main by its setting read-only\r\n"
}

// Of a listener with several pools, each has its own rules; a flush concerns all.
func TestGuardsOfSeveralPools(t *testing.T) {
	s := newPools(t, "main", "sessions")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions"}, {Pool: "main"}}
	s.shared.Config.Pools[1].Guard = config.Guard{NoFlush: true, NoStatsReset: true, DeniedVerbs: []string{"sadd"}}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "sadd a x\r\nsadd s:a x\r\nrpush s:b x\r\n", "STORED\r\nCLIENT_ERROR sadd is not allowed in pool sessions by its setting verbs\r\nSTORED\r\n")
	exchange(t, conn, "flush_all\r\nget a\r\n", "CLIENT_ERROR flush_all is not allowed in pool sessions by its setting flush\r\nVALUE a 0 3\r\n+x \r\nEND\r\n")
	exchange(t, conn, "stats reset\r\n", "CLIENT_ERROR stats reset is not allowed in pool sessions by its setting stats-reset\r\n")
}

// help lists the verbs that one of the listener's pools allows, whatever other listeners have.
func TestHelpOfGuardedPools(t *testing.T) {
	s := newPools(t, "main", "sessions")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions"}, {Pool: "main"}}
	s.shared.Config.Listeners = append(s.shared.Config.Listeners, config.Listener{Address: listen.Address{Network: "unix", Address: t.TempDir() + "/s"}, SocketMode: 0o700, Routes: []config.Route{{Pool: "sessions"}}})
	s.shared.Config.Pools[0].Guard = config.Guard{ReadOnly: true}
	s.shared.Config.Pools[1].Guard = config.Guard{DeniedVerbs: []string{"smembers", "sadd"}}
	start(t, s.Server)
	for i, expected := range []map[string]bool{{"help": true, "smembers": true, "sadd": false, "srem": true}, {"help": true, "smembers": false, "sadd": false, "srem": true}} {
		conn := dialListener(t, s, i)
		ask(t, conn, "help\r\n")
		listed := map[string]bool{}
		for in := bufio.NewReader(conn); !listed["END"]; {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			listed[name] = true
		}
		for name, is := range expected {
			if listed[name] != is {
				t.Errorf("listener %d: %s is listed: %v", i, name, listed[name])
			}
		}
		exchange(t, conn, "mn\r\nhelp srem\r\n", "MN\r\nsrem <key> <member>+ [noreply]\r\nremoves members from a set, without reading it\r\nEND\r\n")
		exchange(t, conn, "help sadd\r\n", "CLIENT_ERROR sadd is not allowed here, by a setting of the pool\r\n")
	}
}

// A client that sends nothing is disconnected, and one that waits for a reply is not.
func TestIdleClients(t *testing.T) {
	gate := make(chan struct{})
	s := newServer(1, gatedUpstream(t, gate))
	s.shared.Config.Listeners[0].IdleTimeout = 100 * time.Millisecond
	start(t, s)
	idle, waits := dialServer(t, s), dialServer(t, s)
	ask(t, waits, "get k\r\n")
	if got, err := io.ReadAll(idle); len(got) > 0 || err != nil {
		t.Errorf("an idle client got %q, %v", got, err)
	}
	_ = idle.Close()
	await(t, "the idle client to be gone", func() bool { return s.shared.Clients.Load() == 1 })
	close(gate)
	if got, err := io.ReadAll(waits); string(got) != "END\r\n" || err != nil {
		t.Errorf("the client that waited got %q, %v", got, err)
	}
}

// A listener takes no more clients than it may have, whatever others have.
func TestMostClientsOfAListener(t *testing.T) {
	s := newPools(t, "main")
	second := s.shared.Config.Listeners[0]
	s.shared.Config.Listeners[0].MaxClients = 1
	s.shared.Config.Listeners = append(s.shared.Config.Listeners, second)
	start(t, s.Server)
	first, refused, other := dialListener(t, s, 0), dialListener(t, s, 0), dialListener(t, s, 1)
	if got, err := io.ReadAll(refused); string(got) != tooMany || err != nil {
		t.Errorf("the second client got %q, %v", got, err)
	}
	exchange(t, first, "mn\r\n", "MN\r\n")
	exchange(t, other, "mn\r\n", "MN\r\n")
	_ = first.Close()
	await(t, "the first client to be gone", func() bool { return s.shared.Setup.Load().Sockets[0].Clients.Load() == 0 })
	exchange(t, dialListener(t, s, 0), "mn\r\n", "MN\r\n")
}

// Of every command it is known whether it may change an item.
func TestEveryCommandChangesOrDoesNot(t *testing.T) {
	for c := protocol.Get; c < protocol.MetaNoop; c++ {
		req := protocol.Request{Command: c, Key: []byte("k")}
		reads := c == protocol.Get || c == protocol.Gets || c == protocol.MetaGet || c == protocol.MetaDebug
		if req.Changes() == reads {
			t.Errorf("%v: Changes returned %v", c, !reads)
		}
	}
}
