package proxy

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/route"
)

// Each key goes to the pool of the longest prefix with which it begins.
func TestPoolsByPrefix(t *testing.T) {
	s := newPools(t, "main", "sessions", "users")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions"}, {Pool: "main"}, {Prefix: "s:u:", Pool: "users"}}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set k 0 0 1\r\na\r\nset s:k 0 0 1\r\nb\r\nset s:u:k 0 0 1\r\nc\r\nsadd s:set x\r\n", "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n")
	exchange(t, conn, "get s:u:k k none s:k\r\n", "VALUE s:u:k 0 1\r\nc\r\nVALUE k 0 1\r\na\r\nVALUE s:k 0 1\r\nb\r\nEND\r\n")
	for i, keys := range []string{"VALUE k 0 1\r\na\r\n", "VALUE s:k 0 1\r\nb\r\nVALUE s:set 0 3\r\n+x \r\n", "VALUE s:u:k 0 1\r\nc\r\n"} {
		exchange(t, s.stores[i].dial(t), "get k s:k s:u:k s:set\r\n", keys+"END\r\n")
	}
}

// What concerns all keys concerns those of all pools of the listener.
func TestAllPoolsOfAListener(t *testing.T) {
	s := newPools(t, "main", "sessions", "others")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions"}, {Pool: "main"}}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, s.stores[2].dial(t), "set k 0 0 1\r\no\r\n", "STORED\r\n")
	exchange(t, conn, "set k 0 0 1\r\na\r\nset s:k 0 0 1\r\nb\r\n", "STORED\r\nSTORED\r\n")
	ask(t, conn, "stats\r\n")
	if told := readStats(t, conn); told["upstreams"] != "2" || told["command_set"] != "2" || told["curr_items"] != "2" {
		t.Errorf("stats counts %s upstreams, %s sets, %s items; expected 2, 2, 2", told["upstreams"], told["command_set"], told["curr_items"])
	}
	exchange(t, conn, "flush_all\r\n", "OK\r\n")
	exchange(t, conn, "get k s:k\r\n", "END\r\n")
	exchange(t, s.stores[2].dial(t), "get k\r\n", "VALUE k 0 1\r\no\r\nEND\r\n")
}

// A verb with several keys can't be carried out in several pools at once.
func TestVerbWithKeysOfSeveralPools(t *testing.T) {
	s := newPools(t, "main", "sessions")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions"}, {Pool: "main"}}
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "sadd a x\r\nsadd s:a y\r\nset verb/sadd/s:b 0 0 1\r\nz\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	exchange(t, conn, "smembers a s:a\r\n", route.SeveralPools+"\r\n")
	exchange(t, conn, "smembers s:a s:b\r\n", "VALUE s:a 0 1\r\ny\r\nVALUE s:b 0 1\r\nz\r\nEND\r\n")
	exchange(t, conn, "get verb/smembers/a verb/smembers/s:a s:b\r\n",
		"VALUE verb/smembers/a 0 1\r\nx\r\nVALUE verb/smembers/s:a 0 1\r\ny\r\nVALUE s:b 0 3\r\n+z \r\nEND\r\n")
}

// Two pools may have structures with the same key.
func TestSameKeyInTwoPools(t *testing.T) {
	s := newPools(t, "main", "sessions")
	s.shared.Config.Listeners[0].Routes[0].Pool = "main"
	second := s.shared.Config.Listeners[0]
	second.Routes = []config.Route{{Pool: "sessions"}}
	s.shared.Config.Listeners = append(s.shared.Config.Listeners, second)
	start(t, s.Server)
	one, two := dialListener(t, s, 0), dialListener(t, s, 1)
	for range 3 { // also when both are cached
		exchange(t, one, "sadd k a\r\nscard k\r\nsmembers k\r\n", "STORED\r\n1\r\nVALUE k 0 1\r\na\r\nEND\r\n")
		exchange(t, two, "sadd k b\r\nscard k\r\nsmembers k\r\n", "STORED\r\n1\r\nVALUE k 0 1\r\nb\r\nEND\r\n")
	}
}
