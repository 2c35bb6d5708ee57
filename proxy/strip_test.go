package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/route"
)

// newStripping returns a started proxy in which s: is stripped on the way to the second pool, and
// connections to it and to the stores.
func newStripping(t *testing.T, change func(*pools)) (conn, main, sessions net.Conn, s *pools) {
	t.Helper()
	s = newPools(t, "main", "sessions")
	s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions", Strip: true}, {Pool: "main"}}
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	if change != nil {
		change(s)
	}
	start(t, s.Server)
	return dialServer(t, s.Server), s.stores[0].dial(t), s.stores[1].dial(t), s
}

// A stored key has no prefix, and clients see only keys with it.
func TestStrippedKeys(t *testing.T) {
	conn, main, sessions, _ := newStripping(t, nil)
	exchange(t, conn, "set s:k 1 0 1\r\na\r\nset k 2 0 1\r\nb\r\nset s:s:k 3 0 1\r\nc\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	exchange(t, main, "get k s:k\r\n", "VALUE k 2 1\r\nb\r\nEND\r\n")
	exchange(t, sessions, "get k s:k\r\n", "VALUE k 1 1\r\na\r\nVALUE s:k 3 1\r\nc\r\nEND\r\n")
	exchange(t, conn, "get s:k\r\n", "VALUE s:k 1 1\r\na\r\nEND\r\n")
	exchange(t, conn, "get s:none\r\n", "END\r\n")
	exchange(t, conn, "get s:k k none s:k s:none  s:s:k k\r\n",
		"VALUE s:k 1 1\r\na\r\nVALUE k 2 1\r\nb\r\nVALUE s:k 1 1\r\na\r\nVALUE s:s:k 3 1\r\nc\r\nVALUE k 2 1\r\nb\r\nEND\r\n")
	exchange(t, conn, "gat 0  s:k \r\n", "VALUE s:k 1 1\r\na\r\nEND\r\n")
	exchange(t, conn, "incr s:n 1\r\nset s:n 0 0 1 noreply\r\n5\r\nincr s:n 1\r\ntouch s:n 0\r\nappend s:n 0 0 1\r\n0\r\ndelete s:n\r\n", "NOT_FOUND\r\n6\r\nTOUCHED\r\nSTORED\r\nDELETED\r\n")
	exchange(t, sessions, "get n\r\n", "END\r\n")
}

// A meta command returns the whole key, in the form in which memcached returned its own.
func TestStrippedKeysOfMetaCommands(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	exchange(t, conn, "ms s:k 1 Ok k\r\na\r\n", "HD Ok ks:k\r\n")
	exchange(t, sessions, "mg k v\r\n", "VA 1\r\na\r\n")
	exchange(t, conn, "mg s:k k v q\r\nmg s:none k v q\r\nmn\r\n", "VA 1 ks:k\r\na\r\nMN\r\n")
	exchange(t, conn, "mg s:k v\r\n", "VA 1\r\na\r\n")
	exchange(t, conn, "mg s:k s Ok k v\r\n", "VA 1 s1 Ok ks:k\r\na\r\n")
	exchange(t, conn, "mg czpr b k\r\n", "HD ks:k\r\n") // it was not stored in base64
	exchange(t, conn, "ms czpiIGs= 1 b k\r\nb\r\n", "HD kczpiIGs= b\r\n")
	exchange(t, sessions, "mg YiBr b k v\r\n", "VA 1 kYiBr b\r\nb\r\n")
	exchange(t, conn, "mg czpiIGs= b k v\r\n", "VA 1 kczpiIGs= b\r\nb\r\n")
	exchange(t, conn, "ms czpi 1 b\r\nc\r\n", "HD\r\n")
	exchange(t, conn, "mg s:b k v\r\n", "VA 1 kczpi b\r\nc\r\n")
	exchange(t, conn, "ma s:n N0 J5 k v\r\nmd s:n k q\r\nmd s:n k\r\n", "VA 1 ks:n\r\n5\r\nNF ks:n\r\n")
	for request, key := range map[string]string{"me s:k": "s:k", "me s:b": "czpi", "me czpi b": "czpi", "me czpiIGs= b": "czpiIGs=", "me czpr b": "s:k"} {
		ask(t, conn, request+"\r\n")
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(line, "ME "+key+" ") {
			t.Errorf("%s: %q, expected the key %s", request, line, key)
		}
	}
}

// A key with a line end can't be asked for with k, so the proxy returns it.
func TestStrippedKeyWithALineEnd(t *testing.T) {
	conn, _, _, _ := newStripping(t, nil)
	exchange(t, conn, "ms czphCmI= 1 b\r\na\r\n", "HD\r\n")
	exchange(t, conn, "mg czphCmI= b k v\r\n", "VA 1 kczphCmI= b\r\na\r\n")
}

// Large values are sent on while they are received, and after other replies.
func TestLargeStrippedValues(t *testing.T) {
	conn, _, _, _ := newStripping(t, nil)
	for _, size := range []int{15 << 10, 17 << 10, 63 << 10, 65 << 10, 900 << 10} {
		data := strings.Repeat("x", size)
		exchange(t, conn, fmt.Sprintf("set s:k 3 0 %d\r\n%s\r\nset k 0 0 %[1]d\r\n%[2]s\r\n", size, data), "STORED\r\nSTORED\r\n")
		value := func(key string, flags int) string {
			return fmt.Sprintf("VALUE %s %d %d\r\n%s\r\n", key, flags, size, data)
		}
		one, other := value("s:k", 3), value("k", 0)
		meta := fmt.Sprintf("VA %d ks:k f3\r\n%s\r\n", size, data)
		exchange(t, conn, "get s:k\r\n", one+"END\r\n")
		exchange(t, conn, "mg s:k k f v\r\nmg s:k k f v q\r\nmn\r\n", meta+meta+"MN\r\n")
		exchange(t, conn, "get k\r\nget s:k\r\nget k\r\nget s:k\r\nmg s:k k f v\r\nget s:k\r\n", other+"END\r\n"+one+"END\r\n"+other+"END\r\n"+one+"END\r\n"+meta+one+"END\r\n")
		exchange(t, conn, "get s:k k s:k k\r\n", one+other+one+other+"END\r\n")
	}
}

// The verbs store their structures without the prefix, and show the key with it.
func TestStrippedKeysOfVerbs(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	exchange(t, conn, "sadd s:a x y\r\nsadd s:b y\r\nsadd b z\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	exchange(t, sessions, "get a b s:a\r\n", "VALUE a 0 6\r\n+x +y \r\nVALUE b 0 3\r\n+y \r\nEND\r\n")
	exchange(t, conn, "smembers s:a s:b\r\nsinter s:a  s:b\r\n", "VALUE s:a 0 3\r\nx y\r\nVALUE s:b 0 1\r\ny\r\nEND\r\nVALUE s:a 0 1\r\ny\r\nEND\r\n")
	exchange(t, conn, "smembers s:a b\r\n", route.SeveralPools+"\r\n")
	exchange(t, conn, "sinter s:a s:\r\n", "CLIENT_ERROR nothing is left of the key s: without its prefix, which is stripped\r\n")
	exchange(t, conn, "rpush s:a z\r\nlrange s:a\r\n", "STORED\r\nCLIENT_ERROR s:a does not hold a list\r\n")
	exchange(t, conn, "taskput s:q t 0 0 1\r\nd\r\ntasklen s:q\r\n", "STORED\r\n1\r\n")
	exchange(t, conn, "sadd s:a w noreply\r\nsismember s:a w\r\n", "1\r\n")
	ask(t, conn, "inspect s:b\r\n")
	if told := readStats(t, conn); told["kind"] != "set" || told["members"] != "1" {
		t.Errorf("inspect tells %v", told)
	}
}

// Keys that name verbs are not stripped, but those of their structures are.
func TestStrippedKeysOfCarriedVerbs(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	exchange(t, conn, "set verb/sadd/s:a 0 0 1\r\nx\r\nms verb/sadd/s:a 1 k\r\ny\r\n", "STORED\r\nHD kverb/sadd/s:a\r\n")
	exchange(t, sessions, "get a\r\n", "VALUE a 0 6\r\n+x +y \r\nEND\r\n")
	exchange(t, conn, "get verb/smembers/s:a s:a verb/scard/s:a\r\n", "VALUE verb/smembers/s:a 0 3\r\nx y\r\nVALUE s:a 0 6\r\n+x +y \r\nVALUE verb/scard/s:a 0 1\r\n2\r\nEND\r\n")
	exchange(t, conn, "get verb/smembers/s:\r\nset verb/sadd/s: 0 0 1\r\nx\r\n", strings.Repeat("CLIENT_ERROR nothing is left of the key s: without its prefix, which is stripped\r\n", 2))
	exchange(t, conn, "rpush s:a z\r\nget verb/lrange/s:a\r\n", "STORED\r\nCLIENT_ERROR s:a does not hold a list\r\n")
	exchange(t, conn, "sadd s:l 1\r\nget verb/smembers/s:l\r\nset s:l 0 0 1\r\nx\r\nget s:l\r\n", "STORED\r\nVALUE verb/smembers/s:l 0 1\r\n1\r\nEND\r\nSTORED\r\nVALUE s:l 0 1\r\nx\r\nEND\r\n")
}

// A key that is only the prefix is refused, whatever the command.
func TestNothingIsLeftOfAKey(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	const refusal = "CLIENT_ERROR nothing is left of the key s: without its prefix, which is stripped\r\n"
	for _, request := range []string{"get s:", "get k s: k", "gats 0 s:", "delete s:", "set s: 0 0 1\r\na", "md czo= b", "me s:", "sadd s: x", "inspect s:",
		"set s: 0 0 9999999\r\n" + strings.Repeat("x", 9999999)} {
		exchange(t, conn, request+"\r\n", refusal)
	}
	exchange(t, conn, "mg s: k v q\r\nset s: 0 0 1 noreply\r\na\r\nmn\r\n", "MN\r\n")
	exchange(t, sessions, "mn\r\n", "MN\r\n")
}

// A verb can't use keys of several routes to the same pool if one of them strips.
func TestVerbWithKeysOfSeveralPrefixes(t *testing.T) {
	conn, _, _, _ := newStripping(t, func(s *pools) {
		s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "main", Strip: true}, {Prefix: "u:", Pool: "main"}, {Pool: "main"}}
	})
	exchange(t, conn, "smembers s:a a\r\n", route.SeveralPrefixes+"\r\n")
	exchange(t, conn, "smembers u:a a\r\n", "END\r\n")
	exchange(t, conn, "get verb/smembers/s:a\r\n", "END\r\n")
	exchange(t, conn, "sadd s:a x\r\nsadd a y\r\nget a s:a u:a a\r\n", "STORED\r\nSTORED\r\nVALUE a 0 6\r\n+x +y \r\nVALUE s:a 0 6\r\n+x +y \r\nVALUE a 0 6\r\n+x +y \r\nEND\r\n")
}

// The full key is limited, not what is left of it; and what is too large deletes the old value.
func TestLimitsOfStrippedKeys(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	long := strings.Repeat("k", 248)
	exchange(t, conn, "set s:"+long+" 0 0 1\r\na\r\nget s:"+long+"\r\n", "STORED\r\nVALUE s:"+long+" 0 1\r\na\r\nEND\r\n")
	exchange(t, sessions, "get "+long+"\r\n", "VALUE "+long+" 0 1\r\na\r\nEND\r\n")
	exchange(t, conn, "get s:"+long+"k\r\n", "CLIENT_ERROR bad command line format\r\n")
	data := strings.Repeat("x", 2<<20)
	for _, set := range []string{"set s:k 0 0 %d\r\n%s\r\n", "ms s:k %d\r\n%s\r\n", "ms czpr %d b\r\n%s\r\n"} {
		exchange(t, conn, "set s:k 0 0 1\r\na\r\n", "STORED\r\n")
		exchange(t, conn, fmt.Sprintf(set, len(data), data), "SERVER_ERROR object too large for cache\r\n")
		exchange(t, sessions, "get k\r\n", "END\r\n")
	}
}

// While a server is down, stripped keys are missing, or go to the spare pool without the prefix.
func TestStrippedKeysWhileDown(t *testing.T) {
	const spareTTL = 1000 // seconds
	for _, what := range []config.OnDown{config.Miss, config.Spare} {
		s, o := newOutage(t, func(p *config.Pool) {
			if p.OnDown = what; what == config.Spare {
				p.Spare, p.SpareTTL = "spare", spareTTL*time.Second
			}
		})
		s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "a:", Pool: "main", Strip: true}, {Pool: "spare"}}
		start(t, s.Server)
		conn := dialServer(t, s.Server)
		exchange(t, conn, "set a:a 0 0 1\r\nx\r\nset a:k 0 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")
		exchange(t, o.store.dial(t), "get a k\r\n", "VALUE k 0 1\r\ny\r\nEND\r\n")
		o.cut(t, s, true)
		refused := "SERVER_ERROR upstream second is down: cut off\r\n"
		awaitReply(t, conn, "touch a:k 0\r\n", refused)
		if what == config.Miss {
			exchange(t, conn, "get a:k\r\nget a:k a:a\r\nmg a:k k v\r\nset a:k 0 0 1\r\nz\r\n", "END\r\nVALUE a:a 0 1\r\nx\r\nEND\r\nEN ka:k\r\n"+refused)
			continue
		}
		exchange(t, conn, "set a:k 7 0 1\r\nz\r\nget a:k\r\nget a:k a:a\r\nadd a:k 0 0 1\r\nz\r\n",
			"STORED\r\nVALUE a:k 7 1\r\nz\r\nEND\r\nVALUE a:k 7 1\r\nz\r\nVALUE a:a 0 1\r\nx\r\nEND\r\nNOT_STORED\r\n")
		var ttl int
		spare := s.stores[1].dial(t)
		ask(t, spare, "mg k t\r\n")
		if n, err := fmt.Fscanf(spare, "HD t%d\r\n", &ttl); n != 1 || ttl < 1 || ttl > spareTTL {
			t.Fatalf("the spare pool keeps it for %d s, %v", ttl, err)
		}
		exchange(t, spare, "mg k v\r\n", "VA 1\r\nz\r\n")
		exchange(t, conn, "delete a:k\r\nget a:k\r\n", "DELETED\r\nEND\r\n")
	}
}

// Operators see the keys that clients use.
func TestStrippedKeysOfOperators(t *testing.T) {
	conn, _, _, s := newStripping(t, func(s *pools) { s.shared.Config.Slow = time.Nanosecond })
	exchange(t, conn, strings.Repeat("get s:k\r\nget s:k s:k\r\n", 3000), strings.Repeat("END\r\n", 6000))
	exchange(t, conn, "sadd s:set x\r\nscard s:set\r\n", "STORED\r\n1\r\n")
	ask(t, conn, "stats hotkeys\r\n")
	if key := readStats(t, conn)["hotkey_0_key"]; key != "s:k" {
		t.Errorf("the hottest key is %q", key)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range snapshot.Slow.Latest {
		if !strings.HasPrefix(r.Key, "s:") && r.Command != "stats" {
			t.Errorf("a slow request: %+v", r)
		}
	}
	if len(snapshot.Slow.Latest) == 0 {
		t.Error("no request was slow")
	}
}

// A client's requests take effect in order, by whichever of two names it calls what they are about.
func TestStrippedKeysInOrder(t *testing.T) {
	conn, _, _, _ := newStripping(t, func(s *pools) {
		s.shared.Config.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions", Strip: true}, {Prefix: "t:", Pool: "sessions", Strip: true}, {Pool: "main"}}
	})
	var requests, replies strings.Builder
	for i := range 300 {
		fmt.Fprintf(&requests, "rpush s:l %d x\r\nlpop s:l\r\nget verb/lrange/t:l none\r\nget verb/llen/s:l\r\nlpop t:l\r\ndelete s:l\r\nget t:l\r\nget s:l t:l\r\n", i)
		fmt.Fprintf(&replies, "STORED\r\nVALUE s:l 0 %d\r\n%d\r\nEND\r\n", len(fmt.Sprint(i)), i)
		replies.WriteString("VALUE verb/lrange/t:l 0 1\r\nx\r\nEND\r\nVALUE verb/llen/s:l 0 1\r\n1\r\nEND\r\nVALUE t:l 0 1\r\nx\r\nEND\r\nDELETED\r\nEND\r\nEND\r\n")
	}
	exchange(t, conn, requests.String(), replies.String())
}

// A retrieval of so many keys that it is divided into parts has all of them, in order.
func TestManyStrippedKeys(t *testing.T) {
	conn, _, _, _ := newStripping(t, nil)
	for _, n := range []int{100, 5000} {
		var sets, stored, get, values strings.Builder
		for i := range n {
			key := fmt.Sprintf("s:key%d", i)
			if i%3 == 0 {
				key = key[2:]
			}
			fmt.Fprintf(&sets, "set %s 0 0 5\r\n%05d\r\n", key, i)
			stored.WriteString("STORED\r\n")
			get.WriteString(" " + key)
			fmt.Fprintf(&values, "VALUE %s 0 5\r\n%05d\r\n", key, i)
		}
		go func() { _, _ = io.WriteString(conn, sets.String()) }()
		exchange(t, conn, "", stored.String())
		exchange(t, conn, "get"+get.String()+"\r\n", values.String()+"END\r\n")
	}
}

// A reload may begin to strip a prefix.
func TestReloadBeginsToStrip(t *testing.T) {
	conn, _, sessions, s := newStripping(t, func(s *pools) { s.shared.Config.Listeners[0].Routes[0].Strip = false })
	exchange(t, conn, "set s:k 0 0 1\r\na\r\n", "STORED\r\n")
	next := s.shared.Config
	next.Listeners = slices.Clone(next.Listeners)
	next.Listeners[0].Routes = []config.Route{{Prefix: "s:", Pool: "sessions", Strip: true}, {Pool: "main"}}
	if err := s.Reload(next); err != nil {
		t.Fatal(err)
	}
	exchange(t, conn, "get s:k\r\nset s:k 0 0 1\r\nb\r\n", "END\r\nSTORED\r\n")
	exchange(t, sessions, "get k s:k\r\n", "VALUE k 0 1\r\nb\r\nVALUE s:k 0 1\r\na\r\nEND\r\n")
}
