package settings

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/upstream"
)

func parseSettings(text string) (*All, []Warning, error) {
	root, err := yamlfile.Parse("f", []byte(text))
	if err != nil {
		return nil, nil, err
	}
	return Parse(root)
}

// Everything that can be set arrives where it belongs.
func TestFile(t *testing.T) {
	t.Parallel()
	s, warnings, err := parseSettings(`# All of it.
loops: 3
drain: 1s
buffer-memory: 64MB
read-cache: 0
max-clients: 7
log-level: warn
log-format: json
listeners:              # before the pools they lead to
  - listen:
      - ":3"
    routes: {"s:": sessions, "": main, no: main, "u:": {strip: false, pool: main}, v: {pool: main}}
    verb-keys: v/
pools:
  main:
    listen: [":1", "unix:/run/m"]
    socket-mode: 0770
    layout: twemproxy:ketama:md5
    servers: ["10.0.0.1:11211:1 alpha", "10.0.0.2:11211:1 beta"]
    unhashed-prefix: ["app:"]
    hash-tag: "{}"
    timeout: 2s
    connect-timeout: 3s
    max-item-size: 2MB
    verb-keys: verb/
    compact-dirtiness: 4
    structure-item-size: 5KB
    log-chunk: 6s
    log-chunks: 8
    read-only: true
    flush: allow
    stats-reset: deny
    verbs: [smembers, hget]
    idle-timeout: 9s
    max-clients: 5
    on-down: spare:sessions
    spare-ttl: 4s
    on-return: flush
  sessions:
    servers:
      - 10.0.0.3
`)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %v", err, warnings)
	}
	if p := s.Process; p.Loops != 3 || p.Drain != time.Second || p.BufferMemory != 64<<20 || p.ReadCache != 0 || p.maxClients != 7 ||
		p.LogLevel.String() != "WARN" || p.LogFormat != "json" {
		t.Errorf("process: %+v", p)
	}
	main, sessions := s.Pools[0], s.Pools[1]
	if main.name != "main" || main.Layout != "twemproxy:ketama:md5" || len(main.Servers) != 2 || main.Servers[1].Name != "beta" ||
		main.HashTag != "{}" || main.prefixes[0] != "app:" || main.timeout != 2*time.Second || main.ConnectTimeout != 3*time.Second ||
		main.maxItemSize != 2<<20 || main.compactDirtiness != 4 || main.structureItemSize != 5<<10 ||
		main.logChunk != 6*time.Second || main.logChunks != 8 || main.built == nil {
		t.Errorf("main: %+v", main)
	}
	if g := main.guard(); !g.ReadOnly || g.NoFlush || !g.NoStatsReset || len(g.DeniedVerbs) != len(verbNames())-2 {
		t.Errorf("main: %+v", g)
	}
	if g := sessions.guard(); g.ReadOnly || !g.NoFlush || g.NoStatsReset || len(g.DeniedVerbs) != 0 {
		t.Errorf("sessions: %+v", g)
	}
	if p := s.pool(main); p.OnDown != config.Spare || p.Spare != "sessions" || p.SpareTTL != 4*time.Second || p.OnReturn != upstream.Flush {
		t.Errorf("main: %+v", p)
	}
	if l := s.Listeners[0]; l.idleTimeout != 9*time.Second || l.maxClients != 5 {
		t.Errorf("listener: %+v", l)
	}
	if sessions.name != "sessions" || sessions.timeout != time.Second || sessions.Servers[0].Address != "10.0.0.3:11211" || sessions.logChunks != 10 {
		t.Errorf("sessions: %+v", sessions)
	}
	expected := `pool main: 2 servers, layout twemproxy:ketama:md5
pool sessions: 1 server, layout libmemcached-ketama-weighted
listen at :1: all keys to main
listen at unix:/run/m: all keys to main
listen at :3: s:* to sessions, no* to main, u:* to main, v* to main, other keys to main
`
	if got := s.Summary(); got != expected {
		t.Errorf("%s\nexpected\n%s", got, expected)
	}
	for i, mode := range []uint32{0o770, 0o770, 0o700} {
		if uint32(s.Listeners[i].mode) != mode {
			t.Errorf("listener %d has the mode %o", i, s.Listeners[i].mode)
		}
	}
	if s.Listeners[0].verbKeys != "verb/" || s.Listeners[2].verbKeys != "v/" {
		t.Errorf("listeners: %+v", s.Listeners)
	}
}

// Each error tells where it is, what is wrong and what to do.
func TestFileErrors(t *testing.T) {
	t.Parallel()
	pool := func(lines string) string { return settingstest.Smallest + "    " + lines + "\n" }
	listener := func(text string) string { return settingstest.Smallest + "listeners:\n  - " + text + "\n" }
	for _, test := range []struct{ name, file, says string }{
		{"empty", "", "f:1:1: the file is empty"},
		{"only comments", "# nothing\n", "f:1:1: the file is empty"},
		{"no YAML", "pools: [1, 2\n", "f:1:8: sequence end token ']' not found; if a text is meant, put it in quotes"},
		{"no quotes", "pools:\n  main: {listen: [:1], servers: [a]}\n", "f:2:19: found an invalid key for this map; if a text is meant, put it in quotes"},
		{"a tab", "pools:\n\tmain: 1\n", "f:2:1: there is a tab where YAML takes only spaces: replace it by spaces"},
		{"a tab in the first line", "\tpools: {}\n", "f:1:6: there is a tab where YAML takes only spaces: replace it by spaces"},
		{"a tab in a pool", settingstest.Smallest + "\t\ttimeout: 1s\n", "f:5:1: there is a tab where YAML takes only spaces: replace it by spaces"},
		{"no UTF-8", "loops: 1\nx: \xff\n", "f:2:4: this is not UTF-8; save the file as UTF-8"},
		{"a list", "- a\n", "f:1:1: a mapping is expected here: lines of a key, a colon and a value"},
		{"a text", "a\n", "f:1:1: a mapping is expected here: lines of a key, a colon and a value"},
		{"two documents", settingstest.Smallest + "---\na: 1\n", "f:5:1: a second document begins: only one is accepted in a file"},
		{"an anchor", "pools: &a\n  main: 1\n", "f:1:8: anchors (&) are not accepted: write the value where it is needed; a text that begins with & needs quotes"},
		{"an alias", "pools:\n  main: *a\n", "f:2:9: aliases (*) are not accepted: write the value where it is needed; a text that begins with * needs quotes"},
		{"a merge", "pools:\n  <<: a\n", "f:2:3: merging (<<) is not accepted: write the values where they are needed"},
		{"a tag", "loops: !!int 1\n", "f:1:8: tags (!) are not accepted: leave it out; a text that begins with ! needs quotes"},
		{"a directive", "%YAML 1.1\n---\nloops: 1\n", "f:1:1: directives (%) are not accepted: leave it out"},
		{"a bomb", "a: " + strings.Repeat("[", 100000) + "\n", "f:1:24: nested too deeply: at most 20 levels are accepted"},
		{"a bomb of dashes", strings.Repeat("- ", 1000) + "a\n", "f:1:41: nested too deeply: at most 20 levels are accepted"},
		{"a huge file", "#" + strings.Repeat("x", 1<<20), "f:1:1: the file is longer than 1048576 bytes"},
		{"too many words", "a: [" + strings.Repeat("b,", 20000) + "]\n", "f:1:40002: the file is too large: it has more than 40000 words and marks"},
		{"a duplicate key", "loops: 1\nloops: 2\n" + settingstest.Smallest, `f:2:1: the key "loops" is there twice: it is already on line 1; remove one`},
		{"a duplicate pool", settingstest.Smallest + "  main: 1\n", `f:5:3: the key "main" is there twice: it is already on line 2; remove one`},
		{"a list as key", "[a]: 1\n", "f:1:4: found an invalid key for this map; if a text is meant, put it in quotes"},

		{"an unknown key", "lops: 1\n" + settingstest.Smallest, `f:1:1: no key "lops" here; is "loops" meant?`},
		{"an unknown key of a pool", pool("tymeout: 1s"), `f:5:5: no key "tymeout" here; is "timeout" meant?`},
		{"an unknown key of a listener", listener("{listen: [':2'], rotes: {'': main}}"), "f:6:22: no key \"rotes\" here; is \"routes\" meant?"},
		{"quite another key", listener("{zzz: 1}"), `f:6:6: no key "zzz" here: expected one of ["routes" "listen" "socket-mode" "idle-timeout" "auth-file" "reuse-port" "tls-cert" "tls-key" "tls-client-ca" "tls-min-version" "max-clients" "verb-keys"]`},
		{"quite another key of a pool", pool("zzz: 1"), `f:5:5: no key "zzz" here: see the keys in the documentation`},
		{"a file of twemproxy", "alpha:\n  listen: 127.0.0.1:1\n  servers:\n    - a:1:1\n", `f:1:1: "alpha" is a pool of a file of twemproxy: memverbs import makes a file of memverbs from one`},
		{"a pool's key at the top", "timeout: 1s\n" + settingstest.Smallest, `f:1:1: no key "timeout" here: it belongs into a pool`},
		{"a top key in a pool", pool("loops: 1"), `f:5:5: no key "loops" here: it belongs at the top of the file, beside pools`},
		{"a listener's key in a pool", pool("routes: {'': main}"), `f:5:5: no key "routes" here: it belongs into an element of listeners`},

		{"no value", "loops:\n" + settingstest.Smallest, "f:1:7: a value is missing here"},
		{"null", "loops: null\n" + settingstest.Smallest, "f:1:8: a value is missing here"},
		{"a number out of range", "loops: 0\n" + settingstest.Smallest, `f:1:8: loops: "0" is not a whole number from 1 to 256`},
		{"a wrong number", "loops: 1_0\n" + settingstest.Smallest, `f:1:8: loops: "1_0" is not a whole number from 1 to 256`},
		{"a wrong duration", "drain: 5\n" + settingstest.Smallest, `f:1:8: drain: "5" is not a duration: use a number with ms, s, m or h, like 500ms`},
		{"a wrong size", "read-cache: 1 MB\n" + settingstest.Smallest, `f:1:13: read-cache: "1 MB" is not a size: use a number with B, KB, MB or GB, like 64MB`},
		{"a wrong mode", pool("socket-mode: 0x1ff"), `f:5:18: socket-mode: "0x1ff" are no permissions; write them in octal, like 0700 or 0770`},
		{"a list for a value", pool("timeout: [1s]"), "f:5:14: a single value is expected here, not a list; a text that begins with [ or - needs quotes"},
		{"a mapping for a value", pool("hash-tag: {}"), "f:5:15: a single value is expected here, not a mapping; a text with { or : in it needs quotes"},
		{"several lines", pool("hash-tag: |\n      {}"), "f:5:15: a value on one line is expected here"},
		{"a value for a list", "pools:\n  main:\n    listen: ':1'\n    servers: [a]\n", "f:3:13: a list is expected here: [a, b], or lines that begin with -"},
		{"an empty list", pool("unhashed-prefix: []"), "f:5:22: the list is empty: list something, or leave it out"},
		{"a wrong element", pool("unhashed-prefix:\n      - a\n      - b c\n"), `f:7:9: unhashed-prefix: "b c" is no prefix of keys: expected 1 to 250 bytes without white space or control characters`},
		{"a mapping as element", pool("unhashed-prefix:\n      - app: x"), "f:6:9: a single value is expected here, not a mapping; a text with { or : in it needs quotes"},
		{"a wrong server", "pools:\n  main:\n    listen: [:1]\n    servers: [a:1:0]\n", `f:4:15: servers: server "a:1:0": weight "0" is not a number from 1 to 65535; expected host:port[:weight [name]], [ipv6]:port[:weight [name]] or unix:/path[:weight [name]]`},
		{"a wrong layout", pool("layout: twemproxy:random:md5"), `f:5:13: layout: layout "twemproxy:random:md5": no distribution "random": expected ketama or modula`},
		{"a wrong address", "pools: {main: {listen: [1], servers: [a]}}\n", `f:1:25: listen: "1": expected host:port, [ipv6]:port, :port or unix:/path`},
		{"two addresses in one", "pools: {main: {listen: ['a:1,b:1'], servers: [a]}}\n", `f:1:25: listen: "a:1,b:1": expected a single address: give each one apart`},
		{"a port that is too large", "pools: {main: {listen: [':80000'], servers: [a]}}\n", `f:1:25: listen: ":80000": a port is a number from 0, for any that is free, to 65535`},
		{"an IPv6 address with its port in brackets", "pools: {main: {listen: ['[::1:11211]'], servers: [a]}}\n", `f:1:25: listen: "[::1:11211]": expected host:port, [ipv6]:port, :port or unix:/path`},
		{"a command of memcached as a verb", pool("verbs: [smembers, get]"), `f:5:23: verbs: "get" is a command of memcached, which this setting does not concern: name verbs only, such as those that help lists`},
		{"an unknown verb", pool("verbs: [sad]"), `f:5:13: verbs: no verb "sad"; is "sadd" meant?`},
		{"long ring", pool("log-chunk: 720h\n    log-chunks: 1000"), `f:2:3: pool main: log-chunk 720h0m0s times log-chunks 1000 is longer than 5 years, the most that an event log may have: lower one of them`},
		{"all and more", pool("verbs: [all, sadd]"), `f:5:12: verbs: all and none can't be combined with other verbs`},
		{"an unknown spare", pool("on-down: spare:mein"), `f:5:14: on-down: there is no pool "mein"; is "main" meant?`},
		{"its own spare", pool("on-down: spare:main"), "f:5:14: on-down: pool main can't be its own spare"},
		{"a spare whose keys move", pool("on-down: spare:b\n  b:\n    servers: [b]\n    move: copy"), "f:5:14: on-down: pool b can't be a spare with move: copy or warm-from, as nobody asks both servers of a key for a spare; use move: miss there"},
		{"a spare with a spare", pool("on-down: spare:b\n  b:\n    servers: [b]\n    on-down: spare:main"), "f:5:14: on-down: pool b can't be a spare, as it has one itself\nf:8:14: on-down: pool main can't be a spare, as it has one itself"},
		{"a wrong on-down", pool("on-down: panic"), `f:5:14: on-down: "panic" is neither refuse nor miss, nor, in a file for --config, spare:<pool>`},
		{"no main route", listener("{listen: [':2'], routes: {a: main}}"), `f:6:30: routes: no pool for the keys without any of these prefixes: add one for the prefix ""`},

		{"no pools", "loops: 1\n", `f:1:1: there are no pools: add "pools:" with a pool that has servers and listen`},
		{"empty pools", "pools: {}\n", "f:1:8: a mapping is expected here: lines of a key, a colon and a value"},
		{"an empty pool", "pools:\n  main:\n", "f:2:9: a mapping is expected here: lines of a key, a colon and a value"},
		{"a wrong name", "pools: {a b: {listen: [':1'], servers: [a]}}\n", `f:1:9: "a b" can't be the name of a pool: use 1 to 64 bytes without white space or control characters`},
		{"no servers", "pools: {main: {listen: [':1']}}\n", `f:1:9: pool main has no servers: add "servers:" with a list of memcacheds`},
		{"servers that are no pool", "pools: {main: {listen: [':1'], servers: [a, a]}}\n", `f:1:41: servers: server "a:11211" is in the pool twice: expected each server once`},
		{"a layout that the servers do not suit", "pools: {main: {listen: [':1'], servers: ['a:1:2'], layout: jump}}\n", `f:1:41: servers: server "a:1" has weight 2, and layout jump knows no weights: expected 1 or none`},
		{"a pool out of reach", settingstest.Smallest + "  other: {servers: [b]}\n", `f:5:3: nobody can reach pool other: add "listen:" to it, or name it in the routes of a listener`},
		{"no routes", listener("{listen: [':2']}"), `f:6:5: this listener has no routes: add "routes:"`},
		{"no address", listener("{routes: {'': main}}"), `f:6:5: this listener has no listen: add "listen:"`},
		{"empty routes", listener("{listen: [':2'], routes: {}}"), "f:6:30: a mapping is expected here: lines of a key, a colon and a value"},
		{"an unknown pool", listener("{listen: [':2'], routes: {'': mian}}"), `f:6:35: there is no pool "mian"; is "main" meant?`},
		{"a prefix that needs quotes", listener("{listen: [':2'], routes: {a:: main, b:c: main, 'd': ':e', '': main}}"), "f:6:33: there is no pool \": main\"; a prefix with a colon needs quotes: \"a:\": main\n" +
			"f:6:43: there is no pool \"c: main\"; a prefix with a colon needs quotes: \"b:c\": main\nf:6:57: there is no pool \":e\": expected one of [\"main\"]"},
		{"no pool of a route", listener("{listen: [':2'], routes: {'': }}"), "f:6:34: a value is missing here"},
		{"no pool of a longer route", listener("{listen: [':2'], routes: {'': main, a: {strip: true}}}"), `f:6:41: this route has no pool: add "pool:"`},
		{"an unknown pool of a longer route", listener("{listen: [':2'], routes: {'': main, a: {pool: mian, strip: true}}}"), `f:6:51: there is no pool "mian"; is "main" meant?`},
		{"an unknown key of a route", listener("{listen: [':2'], routes: {'': main, a: {pool: main, stripp: true}}}"), `f:6:57: no key "stripp" here; is "strip" meant?`},
		{"strip without a prefix", listener("{listen: [':2'], routes: {'': {pool: main, strip: true}}}"), "f:6:55: strip: there is nothing to strip from the keys without a prefix; give the route a prefix, or remove strip"},
		{"strip in the wrong place", listener("{listen: [':2'], strip: true, routes: {'': main}}"), `f:6:22: no key "strip" here: it belongs into a route`},
		{"a wrong strip", listener("{listen: [':2'], routes: {'': main, a: {pool: main, strip: 1}}}"), `f:6:64: strip: "1" is neither true nor false`},
		{"a wrong prefix", listener("{listen: [':2'], routes: {'': main, a b: main}}"), `f:6:41: routes: "a b" is no prefix of keys: expected 1 to 250 bytes without white space or control characters`},
		{"a duplicate prefix", listener("{listen: [':2'], routes: {'': main, a: main, a: main}}"), `f:6:50: the key "a" is there twice: it is already on line 6; remove one`},
		{"an address twice", listener("{listen: ['0.0.0.0:1'], routes: {'': main}}"), "f:6:15: 0.0.0.0:1 can't be listened on twice: :1 is at f:3:14; remove one"},
		{"two errors", "loops: 0\nlops: 1\n" + settingstest.Smallest, "f:1:8: loops: \"0\" is not a whole number from 1 to 256\nf:2:1: no key \"lops\" here; is \"loops\" meant?"},
	} {
		_, _, err := parseSettings(test.file)
		if err == nil {
			t.Errorf("%s: accepted", test.name)
		} else if err.Error() != test.says {
			t.Errorf("%s:\n%q, expected\n%q", test.name, err, test.says)
		}
		if wrong := (*yamlfile.Error)(nil); !errors.As(err, &wrong) {
			t.Errorf("%s: the error is no error in a file", test.name)
		}
	}
}

// --config reads a file, and takes no other flags.
func TestConfigFlag(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, settingstest.Smallest)
	o := NewFlags()
	if _, err := o.Parse([]string{"--config", path}); err != nil {
		t.Fatal(err)
	}
	if s, _, err := o.Settings(); err != nil || s.Pools[0].Servers[0].Host != "a" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--config", path, "--timeout", "1s"}, "--config and --timeout can't be combined: set timeout in the file"},
		{[]string{"--config", ""}, "--config: the name of the file is empty; leave the flag out if all settings are flags"},
		{[]string{"-config", path}, "-config: write --config, with two dashes; see --help"},
		{[]string{"--loops", "1", "-config=" + path}, "-config: write --config, with two dashes; see --help"},
		{[]string{"--config", path, "--upstream", "a", "--loops", "1"}, "--config and --loops can't be combined: set loops in the file\n--config and --upstream can't be combined: set servers in the file"},
	} {
		if _, err := NewFlags().Parse(test.args); err == nil || err.Error() != test.says {
			t.Errorf("%q: %v, expected %s", test.args, err, test.says)
		}
	}
}

// No file makes the program panic, and whatever is accepted is consistent.
func FuzzFile(f *testing.F) {
	f.Add(settingstest.Smallest)
	f.Add("pools: {a: {servers: [x]}}\nlisteners: [{listen: [':2', 'unix:/a'], socket-mode: 0777, routes: {'': a, b: a, c: {pool: a, strip: true}}, verb-keys: v/}]\n")
	f.Add("a: |\n  b\n? c\n- \"d\\x00\"\n# e\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, _, err := parseSettings(text)
		if err != nil {
			return
		}
		if len(s.Pools) == 0 || len(s.Listeners) == 0 {
			t.Fatalf("%d pools and %d listeners", len(s.Pools), len(s.Listeners))
		}
		known := make(map[string]bool)
		for _, p := range s.Pools {
			known[p.name] = true
			if server := p.built.Locate([]byte("key")); server < 0 || server >= len(p.Servers) {
				t.Fatalf("pool %s: server %d", p.name, server)
			}
		}
		for _, l := range s.Listeners {
			for _, r := range l.routes {
				if !known[r.Pool] {
					t.Fatalf("there is no pool %q", r.Pool)
				}
			}
		}
		_ = s.Summary()
	})
}

// What is answered without a server, and what waits, is told in whole keys: with a prefix, or all.
func TestSummaryOfAnswers(t *testing.T) {
	t.Parallel()
	s, _, err := parseSettings("pools:\n  main:\n    listen: [':1']\n    servers: [a]\n    near: {'config:': 3s, '': 1s}\n    hold-misses: {'page:': 500ms}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gets of config:* are answered by the process with values of up to 3s ago\n", "gets of all keys are answered by the process with values of up to 1s ago\n", "gets of page:* that miss wait for up to 500ms until"} {
		if got := s.Summary(); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
}
