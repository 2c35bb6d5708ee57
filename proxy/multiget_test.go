package proxy

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// Opcodes of a multi-get, and of its end.
const (
	opNoop  = 0x0a
	opGetK  = 0x0c
	opGetKQ = 0x0d
)

// multiGet returns the packets of a multi-get.
func multiGet(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString(packet(opGetKQ, "", key, ""))
	}
	return b.String() + packet(opNoop, "", "", "")
}

// hit is the answer to a key of a multi-get, as readPacket returns it, and noop the one to its end.
func hit(key, value string) string { return `0 "` + key + `" "` + value + `"` }

const noop = `0 "" ""`

// wantPackets expects answers, and nothing after them but the answer to a noop.
func wantPackets(t *testing.T, conn net.Conn, want ...string) {
	t.Helper()
	for _, w := range append(want, noop) {
		if got := readPacket(t, conn); got != w {
			t.Fatalf("answered %s, expected %s", got, w)
		}
	}
}

// The keys of a server that is down are missing in a multi-get, and the others are answered: an error
// would be taken for the end by some clients, and what follows it for answers to their next requests.
func TestMultiGetsWhileAServerIsDown(t *testing.T) {
	for _, verbKeys := range []string{"", "verb/"} {
		s, o := newOutage(t, func(*config.Pool) {})
		s.shared.Config.Listeners[0].VerbKeys = verbKeys
		s.shared.Config.Slow = time.Hour
		start(t, s.Server)
		text, packets := dialServer(t, s.Server), dialServer(t, s.Server)
		exchange(t, text, "set a1 0 0 1\r\nx\r\nset a2 0 0 1\r\ny\r\nset k 0 0 1\r\nz\r\n", strings.Repeat("STORED\r\n", 3))
		o.cut(t, s, true)
		down := "SERVER_ERROR upstream second is down: cut off\r\n"
		awaitReply(t, text, "touch k 0\r\n", down)
		for range 3 {
			ask(t, packets, multiGet("a1", "k", "a2", "k2"))
			wantPackets(t, packets, hit("a1", "x"), hit("a2", "y"))
		}
		ask(t, packets, packet(0x24, "\x00\x00\x00\x00", "k", "")+packet(0x24, "\x00\x00\x00\x00", "a1", "")+packet(0x09, "", "k", "")+packet(opNoop, "", "", ""))
		wantPackets(t, packets, hit("a1", "x"))
		// What is asked for aloud, and what changes something, is told: silence would mean that it was done.
		ask(t, packets, packet(opGetK, "", "k", "")+packet(0x11, "\x00\x00\x00\x00\x00\x00\x00\x00", "k", "v")+packet(0x14, "", "k", "")+packet(opNoop, "", "", ""))
		told := `134 "" "upstream second is down: cut off"`
		wantPackets(t, packets, told, told, told)
		exchange(t, text, "mg a1 k v q\r\nmg k k v q\r\nmg a2 k v q\r\nmn\r\n", "VA 1 ka1\r\nx\r\nVA 1 ka2\r\ny\r\nMN\r\n")
		exchange(t, text, "mg k v\r\nms k 1 q\r\nx\r\nmd k q\r\nma k q\r\nmn\r\n", strings.Repeat(down, 4)+"MN\r\n")
		exchange(t, text, "get a1 k\r\nget a1\r\n", down+"VALUE a1 0 1\r\nx\r\nEND\r\n")
		o.cut(t, s, false)
		ask(t, packets, multiGet("a1", "k"))
		wantPackets(t, packets, hit("a1", "x"), hit("k", "z"))
	}
}

// An error of a line itself is told also if the line asks for silence, as memcached does.
func TestMalformedQuietGets(t *testing.T) {
	s := newPools(t, "main")
	start(t, s.Server)
	exchange(t, dialServer(t, s.Server), "mg "+strings.Repeat("k", 251)+" q\r\nmg k q q\r\nmn\r\n",
		"CLIENT_ERROR bad command line format\r\nCLIENT_ERROR duplicate flag\r\nMN\r\n")
}

// If one key of a multi-get is refused, none is popped for, and of several pops none is run. A pop is run last.
func TestPopsInMultiGets(t *testing.T) {
	s, o := newOutage(t, func(*config.Pool) {})
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s.Server)
	text, packets := dialServer(t, s.Server), dialServer(t, s.Server)
	exchange(t, text, "rpush al one two three\r\nset a 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
	pop := "verb/lpop/al"
	for _, test := range []struct {
		keys []string
		want []string
	}{
		{[]string{"verb/nope/x", pop}, nil},
		{[]string{pop, "verb/nope/x", "a"}, []string{hit("a", "x")}},
		{[]string{pop, "verb/rpop/al"}, nil},
		{[]string{pop, "verb/rpop/al", pop}, nil},
		{[]string{pop, "verb/scard/al"}, nil},
		{[]string{pop, "a", "verb/llen/al"}, []string{hit("a", "x"), hit("verb/llen/al", "3"), hit(pop, "one")}},
		{[]string{"verb/nope/x"}, nil},
		{[]string{pop}, []string{hit(pop, "two")}},
	} {
		ask(t, packets, multiGet(test.keys...))
		wantPackets(t, packets, test.want...)
	}
	// However it arrives, and whatever ends it.
	for _, b := range []byte(packet(opGetKQ, "", pop, "") + packet(opGetKQ, "", "verb/nope/x", "")) {
		ask(t, packets, string([]byte{b}))
	}
	ask(t, packets, packet(opGetK, "", "a", ""))
	if got := readPacket(t, packets); got != hit("a", "x") {
		t.Errorf("answered %s", got)
	}
	ask(t, packets, packet(opGetKQ, "", pop, "")+packet(opGetK, "", pop, "")+packet(opNoop, "", "", ""))
	wantPackets(t, packets, `4 "" "verb/lpop/al removes what it answers with; ask for it by itself"`)
	ask(t, packets, packet(opGetKQ, "", pop, "")+packet(opGetK, "", "verb/nope/x", "")+packet(opGetK, "", "a", "")+packet(opNoop, "", "", ""))
	if got := readPacket(t, packets); !strings.HasPrefix(got, `4 "" `) {
		t.Errorf("answered %s", got)
	}
	wantPackets(t, packets, hit("a", "x"))
	o.cut(t, s, true)
	awaitReply(t, text, "touch k 0\r\n", "SERVER_ERROR upstream second is down: cut off\r\n")
	ask(t, packets, multiGet(pop, "k"))
	wantPackets(t, packets)
	exchange(t, text, "lrange al 0 -1\r\n", "VALUE al 0 5\r\nthree\r\nEND\r\n")
}

// A pop that is held while a reload takes away what it means, or puts another pool in the place of its own, is
// not run by the old rules: it is a miss and its element stays, or it is run by the new ones. Nothing is answered twice.
func TestReloadWhileAPopIsHeld(t *testing.T) {
	const pop = "verb/lpop/l"
	for name, test := range map[string]struct {
		change func(*config.Config)
		want   []string
		left   string
	}{
		"verb keys go":       {func(c *config.Config) { c.Listeners[0].VerbKeys = "" }, nil, "one two three"},
		"their prefix turns": {func(c *config.Config) { c.Listeners[0].VerbKeys = "v/" }, []string{hit(pop, "an item")}, "one two three"},
		"the pool turns": {func(c *config.Config) {
			c.Pools[0].Timeout += time.Second
			c.Pools[0].Settings = []config.Setting{{Name: "timeout", Text: "another", AtOnce: false}}
		}, []string{hit(pop, "one")}, "two three"},
		"it is read-only": {func(c *config.Config) {
			c.Pools[0].Guard.ReadOnly = true
			c.Pools[0].Settings = []config.Setting{{Name: "read-only", Text: "true", AtOnce: false}}
		}, nil, "one two three"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPools(t, "main")
			s.shared.Config.Listeners[0].VerbKeys = "verb/"
			start(t, s.Server)
			text, packets, direct := dialServer(t, s.Server), dialServer(t, s.Server), s.stores[0].dial(t)
			exchange(t, text, "rpush l one two three\r\nset a 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
			exchange(t, direct, "set "+pop+" 0 0 7\r\nan item\r\n", "STORED\r\n")
			ask(t, packets, packet(opGetKQ, "", pop, ""))
			await(t, "the pop to be held", func() (held bool) {
				onLoops(s.Server, func(l *front.Loop) {
					for c := range l.Clients.All {
						held = held || c.DefersPop()
					}
				})
				return held
			})
			next := s.shared.Config
			next.Pools, next.Listeners = append([]config.Pool(nil), s.shared.Config.Pools...), append([]config.Listener(nil), s.shared.Config.Listeners...)
			test.change(&next)
			if err := s.Reload(next); err != nil {
				t.Fatal(err)
			}
			ask(t, packets, multiGet("a"))
			wantPackets(t, packets, append([]string{hit("a", "x")}, test.want...)...)
			ask(t, packets, packet(opGetK, "", "a", "")+packet(opNoop, "", "", ""))
			wantPackets(t, packets, hit("a", "x"))
			exchange(t, text, "lrange l\r\n", fmt.Sprintf("VALUE l 0 %d\r\n%s\r\nEND\r\n", len(test.left), test.left))
		})
	}
}

// The log tells of a refused key that names a verb, once a minute for each verb and command, and what it has is no
// danger to who reads the log. All are counted. Clients that make up names don't fill the log.
func TestRefusedKeysAreTold(t *testing.T) {
	s := newPools(t, "main")
	var said bytes.Buffer
	s.shared.Log = slog.New(slog.NewTextHandler(&said, nil))
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s.Server)
	conn, packets := dialServer(t, s.Server), dialServer(t, s.Server)
	ask(t, packets, multiGet("verb/nope/\x1b[31m\nlevel=ERROR")) // is sent on as meta command, in base64
	wantPackets(t, packets)
	exchange(t, conn, "rpush l x\r\n", "STORED\r\n")
	for _, request := range []string{"get verb/nope/x", "gat 0 verb/smembers/s", "set verb/lpop/l 0 0 1\r\nx", "get k verb/smembers/l", "mg verb/smembers/l v", "incr verb/hincr/t 1"} {
		ask(t, conn, request+"\r\n")
		buf := make([]byte, 4096)
		if n, err := conn.Read(buf); err != nil || !strings.HasPrefix(string(buf[:n]), "CLIENT_ERROR ") {
			t.Errorf("%q was answered by %q", request, buf[:n])
		}
	}
	exchange(t, conn, "mg verb/nope/x v q\r\nset verb/nope/x 0 0 1 noreply\r\nx\r\nmn\r\n", "MN\r\n")
	ask(t, conn, "stats proxy\r\n")
	if got := readStats(t, conn)["verb_keys_refused"]; got != "9" {
		t.Errorf("%s keys were counted, expected 9", got)
	}
	told := func() (lines []string) {
		onLoops(s.Server, func(*front.Loop) {
			for line := range strings.Lines(said.String()) {
				if strings.Contains(line, "names a verb") {
					lines = append(lines, line)
				}
			}
		})
		return lines
	}
	lines := told()
	if len(lines) == 0 || !strings.Contains(lines[0], `key="verb/nope/\x1b[31m\nlevel=ERROR" why="CLIENT_ERROR `) || !strings.Contains(lines[0], " client=127.0.0.1:") {
		t.Fatalf("the log tells %q", lines)
	}
	for _, key := range []string{"verb/nope/x", "verb/smembers/s", "verb/lpop/l", "verb/smembers/l", "verb/hincr/t"} {
		if n := strings.Count(strings.Join(lines, ""), "key="+key+" "); n == 0 || n > 2 {
			t.Errorf("%d lines tell of %s", n, key)
		}
	}
	for i := range 100 {
		exchange(t, conn, fmt.Sprintf("set verb/made-up-%d/x 0 0 1 noreply\r\nx\r\nmn\r\n", i), "MN\r\n")
	}
	if n := len(told()); n != front.MostRefusalsTold {
		t.Errorf("%d lines, expected %d", n, front.MostRefusalsTold)
	}
}
