package mcrouter

import (
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// importText converts text, which errors call m.
func importText(text string) (result string, warnings []settings.Warning, err error) {
	root, err := yamlfile.Parse("m", Plain([]byte(text)))
	if err != nil {
		return "", nil, err
	}
	made, warnings, err := Convert("m", root)
	return string(made), warnings, err
}

// pools is the beginning of a configuration.
const pools = `{ "pools": {
	"one": { "servers": ["10.0.0.1:11211", "10.0.0.2:11211"] },
	"two": { "servers": ["10.0.1.1:11211"], "server_timeout": 250, "connect_timeout": 100 },
	"three": { "servers": ["10.0.2.1:11211", "10.0.2.2:11211:ascii:plain"], "weights": [0.5, 1] },
	"kept": { "servers": ["10.0.3.1:11211"], "keep_routing_prefix": true },
	"same": { "inherit": "one" },
},
`

// Each kind of route leads to a pool, and what memverbs does not do is told.
func TestRoutes(t *testing.T) {
	t.Parallel()
	one := `"": "one"`
	for _, test := range []struct {
		name, rest string
		routes     []string
		pool       string // settings of a pool that are expected too
		warns      string // the beginnings of warnings
	}{
		{"a pool", `"route": "PoolRoute|one" }`, []string{one}, "layout: mcrouter\n    on-down: miss\n    servers:\n      - \"10.0.0.1:11211\"", ""},
		{"time-outs", `"route": "PoolRoute|two" }`, []string{`"": "two"`}, "timeout: 250ms\n    connect-timeout: 100ms\n", ""},
		{"an object", `"route": {"type": "PoolRoute", "pool": "one", "hash": "Crc32"} }`, []string{one}, "layout: mcrouter-crc32\n", ""},
		{"a hash of a pool", `"route": {"type": "HashRoute", "children": "Pool|one", "hash_func": "Crc32"} }`, []string{one}, "layout: mcrouter-crc32\n", ""},
		{"weights", `"route": {"type": "PoolRoute", "pool": "one", "hash": {"hash_func": "WeightedCh3", "weights": [1, 0.25]}} }`, []string{one}, "layout: mcrouter-weighted\n    on-down: miss\n    servers:\n      - \"10.0.0.1:11211:1\"\n      - \"10.0.0.2:11211:0.25\"\n", ""},
		{"a pool's weights", `"route": {"type": "PoolRoute", "pool": "three", "hash": "WeightedCh3"} }`, []string{`"": "three"`}, "- \"10.0.2.1:11211:0.5\"\n      - \"10.0.2.2:11211:1\"\n", ""},
		{"the servers of another pool", `"route": "PoolRoute|same" }`, []string{`"": "same"`}, "same:\n    layout: mcrouter\n    on-down: miss\n    servers:\n      - \"10.0.0.1:11211\"", ""},
		{"prefixes", `"route": {"type": "PrefixSelectorRoute", "policies": {"a": "PoolRoute|one", "ab": "PoolRoute|two"}, "wildcard": "PoolRoute|three"} }`,
			[]string{`"a": "one"`, `"ab": "two"`, `"": "three"`}, "", ""},
		{"no wildcard", `"route": {"type": "PrefixSelectorRoute", "policies": {"a": "PoolRoute|one"}} }`, []string{`"a": "one"`, one}, "", "mcrouter has no pool for keys without any of the prefixes"},
		{"nothing for others", `"route": {"type": "PrefixSelectorRoute", "policies": {"a": "PoolRoute|one"}, "wildcard": "NullRoute"} }`, []string{`"a": "one"`, one}, "", "mcrouter has no pool for keys without any of the prefixes"},
		{"failover", `"route": {"type": "FailoverRoute", "children": ["PoolRoute|one", "PoolRoute|two"]} }`, []string{one}, "on-down: \"spare:two\"\n", "FailoverRoute: while a server of pool one is down"},
		{"failover with an exptime", `"route": {"type": "FailoverWithExptimeRoute", "normal": "PoolRoute|one", "failover": "PoolRoute|two", "failover_exptime": 30} }`,
			[]string{one}, "on-down: \"spare:two\"\n    spare-ttl: 30s\n", "FailoverWithExptimeRoute: "},
		{"a replicated pool", `"route": {"type": "OperationSelectorRoute", "operation_policies": {"delete": "AllSyncRoute|Pool|one", "get": "LatestRoute|Pool|one"}} }`,
			[]string{one}, "", "OperationSelectorRoute: memverbs sends all commands the same way|LatestRoute: memverbs asks the first child"},
		{"several pools", `"route": {"type": "AllAsyncRoute", "children": ["PoolRoute|one", "PoolRoute|two"]} }`, []string{one}, "# Pool two is left out: no route leads to it.\n", "AllAsyncRoute: "},
		{"warming up", `"route": {"type": "WarmUpRoute", "cold": "PoolRoute|one", "warm": "PoolRoute|two", "exptime": 3600} }`, []string{one}, "warm-from: \"two\"\n", "WarmUpRoute: memverbs moves the items of pool two to pool one"},
		{"migrating", `"route": {"type": "MigrateRoute", "from": "PoolRoute|two", "to": "PoolRoute|one", "start_time": 1, "interval": 1} }`, []string{one}, "", "MigrateRoute: "},
		{"shadows", `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two", "index_range": [0, 1], "key_fraction_range": [0, 0.1]}]} }`,
			[]string{`"": {pool: "one", shadow: "two", share: 10%}`}, "  two:\n    layout: mcrouter\n", "PoolRoute: pool two gets requests on 10% of the keys, chosen by another hash than mcrouter's"},
		{"a shadow of everything", `"route": {"type": "ShadowRoute", "child": "PoolRoute|one", "shadows": [{"target": {"type": "PoolRoute", "pool": "two", "hash": "Crc32"}}]} }`,
			[]string{`"": {pool: "one", shadow: "two", share: 100%}`}, "  two:\n    layout: mcrouter-crc32\n", "ShadowRoute: pool two gets requests on 100% of the keys"},
		{"a shadow of one server", `"route": {"type": "PrefixSelectorRoute", "policies": {"a": {"type": "PoolRoute", "pool": "three", "shadows": [{"target": "PoolRoute|two", "index_range": [1, 2], "key_fraction_range": [0.25, 0.5]}]}}, "wildcard": "PoolRoute|one"} }`,
			[]string{`"a": {pool: "three", shadow: "two", share: 12.5%}`, one}, "", "PoolRoute: memverbs shadows keys of all servers of pool three, so the share is lowered|PoolRoute: pool two gets requests on 12.5% of the keys"},
		{"two shadows", `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two", "shadow_policy": "default"}, {"target": "PoolRoute|three"}]} }`,
			[]string{`"": {pool: "one", shadow: "two", share: 100%}`}, "# Pool three is left out: no route leads to it.\n", "PoolRoute: memverbs has one shadow for a route; this one is left out|shadow_policy of a shadow is left out|PoolRoute: pool two gets requests on 100% of the keys"},
		{"a shadow of nothing", `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two", "key_fraction_range": [0, 0]}]} }`, []string{one}, "", "PoolRoute: a shadow of no keys is left out"},
		{"a shadow with a spare", `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": {"type": "FailoverRoute", "children": ["PoolRoute|two", "PoolRoute|three"]}}]} }`,
			[]string{one}, "", "FailoverRoute: while a server of pool two is down|PoolRoute: memverbs has a shadow, which is a pool, for a route to one pool; this one is left out"},
		{"a shadow of a routing prefix", `"routes": [{"aliases": ["/a/b/"], "route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two"}]}}] }`,
			[]string{`"": {pool: "one", shadow: "two", share: 100%}`, `"/a/b/": {pool: "one", shadow: "two", share: 100%, strip: true}`}, "", "keys without a routing prefix take this route|PoolRoute: pool two gets requests"},
		{"all pools", `"route": {"type": "AllSyncRoute", "children": ["PoolRoute|one", "PoolRoute|two"]} }`, []string{`"": {copies: ["one", "two"]}`}, "  two:\n    layout: mcrouter\n", "AllSyncRoute: memverbs has copies in the pools one, two: get asks the first, and the next after a miss"},
		{"all servers of a pool", `"route": "AllInitialRoute|Pool|three" }`, []string{`"": {copies: ["three-1", "three-2"]}`},
			"  three-1:\n    layout: mcrouter\n    on-down: miss\n    servers:\n      - \"10.0.2.1:11211\"\n  three-2:\n", "AllInitialRoute: memverbs has copies in the pools three-1, three-2"},
		{"one of all pools", `"route": {"type": "AllSyncRoute", "children": ["PoolRoute|one"]} }`, []string{one}, "", "AllSyncRoute: memverbs sends each request to one server"},
		{"copies with a spare", `"route": {"type": "AllSyncRoute", "children": [{"type": "FailoverRoute", "children": ["PoolRoute|one", "PoolRoute|two"]}, "PoolRoute|three"]} }`,
			[]string{one}, "on-down: \"spare:two\"\n", "FailoverRoute: while|AllSyncRoute: memverbs sends each request to one server"},
		{"a copy with a spare", `"route": {"type": "AllSyncRoute", "children": ["PoolRoute|three", {"type": "FailoverRoute", "children": ["PoolRoute|one", "PoolRoute|two"]}]} }`,
			[]string{`"": "three"`}, "# Pool two is left out", "FailoverRoute: while|AllSyncRoute: memverbs sends each request to one server"},
		{"pools read one after another", `"named_handles": [{"type": "AllSyncRoute", "name": "all", "children": ["PoolRoute|one", "PoolRoute|two"]}],
			"route": {"type": "OperationSelectorRoute", "default_policy": "all", "operation_policies": {"get": {"type": "MissFailoverRoute", "children": ["PoolRoute|two", "PoolRoute|one"]}}} }`,
			[]string{`"": {copies: ["two", "one"]}`}, "", "OperationSelectorRoute: memverbs has copies in the pools two, one"},
		{"replicas in a pool", `"route": {"type": "OperationSelectorRoute", "operation_policies": {"add": "AllSyncRoute|Pool|one", "set": "AllSyncRoute|Pool|one", "delete": "AllSyncRoute|Pool|one", "get": "LatestRoute|Pool|one"}} }`,
			[]string{`"": {copies: ["one-1", "one-2"]}`}, "", "OperationSelectorRoute: memverbs has copies in the pools one-1, one-2"},
		{"deletes in two pools", `"route": {"type": "OperationSelectorRoute", "default_policy": "PoolRoute|one", "operation_policies": {"delete": {"type": "AllSyncRoute", "children": ["PoolRoute|one", "PoolRoute|two"]}}} }`,
			[]string{one}, "", "OperationSelectorRoute: memverbs sends all commands the same way"},
		{"rates and the log", `"route": {"type": "LoggingRoute", "target": {"type": "RateLimitRoute", "target": "PoolRoute|one", "rates": {}}} }`, []string{one}, "", "LoggingRoute: |RateLimitRoute: "},
		{"names", `"named_handles": [{"type": "PoolRoute", "name": "main", "pool": "one"}], "route": "main" }`, []string{one}, "", ""},
		{"names of prefixes", `"named_handles": [{"type": "PrefixSelectorRoute", "name": "main", "policies": {"a": "PoolRoute|two"}, "wildcard": "PoolRoute|one"}], "route": "main" }`, []string{`"a": "two"`, one}, "", ""},
		{"routing prefixes", `"routes": [{"aliases": ["/a/b/"], "route": {"type": "PrefixSelectorRoute", "policies": {"x": "PoolRoute|two", "y": "PoolRoute|kept"}, "wildcard": "PoolRoute|one"}},
			{"aliases": ["/a/c/"], "route": "PoolRoute|three"}] }`,
			[]string{`"x": "two"`, `"/a/b/x": "two"`, `"y": "kept"`, `"/a/b/y": "kept"`, one, `"/a/b/": {pool: "one", strip: true}`, `"/a/c/": {pool: "three", strip: true}`}, "",
			"keys without a routing prefix take this route|keys that begin with /a/b/x keep all of that"},
	} {
		text, warnings, err := importText(pools + test.rest)
		_, routes, _ := strings.Cut(text, "    routes:\n")
		if want := "      " + strings.Join(test.routes, "\n      ") + "\n"; err != nil || routes != want || !strings.Contains(text, test.pool) {
			t.Errorf("%s: %v\n%s", test.name, err, text)
		}
		told := slices.DeleteFunc(strings.Split(test.warns, "|"), func(w string) bool { return w == "" })
		if len(warnings) != len(told) {
			t.Errorf("%s: warned of %v", test.name, warnings)
			continue
		}
		for i, w := range told {
			if !strings.Contains(warnings[i].String(), ": warning: "+w) || !strings.Contains(text, "\n# "+warnings[i].Text) {
				t.Errorf("%s: warned of %v, expected %s\n%s", test.name, warnings[i], w, text)
			}
		}
		made, err := yamlfile.Parse("made", []byte(text))
		if err == nil {
			_, _, err = settings.Parse(made)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, text)
		}
	}
}

// What memverbs can't say is refused, with its place.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, says string }{
		{"no routes to pools", pools + `"route": {"type": "PrefixSelectorRoute", "wildcard": "NullRoute"} }`, "m:1:1: no route leads to a pool"},
		{"a pool that is not there", pools + `"route": "PoolRoute|four" }`, `m:8:10: there is no pool "four"`},
		{"an unknown handle", pools + `"route": {"type": "L1L2SizeSplitRoute"} }`, "m:8:10: L1L2SizeSplitRoute: memverbs has no route like this"},
		{"nothing for a prefix", pools + `"route": {"type": "PrefixSelectorRoute", "policies": {"a": "NullRoute"}, "wildcard": "PoolRoute|one"} }`, "m:8:60: NullRoute: memverbs has no route like this"},
		{"no type", pools + `"route": {"pool": "one"} }`, `m:8:10: this route handle has no type: add "type"`},
		{"prefixes of prefixes", pools + `"route": {"type": "PrefixSelectorRoute", "policies": {"a": {"type": "PrefixSelectorRoute"}}} }`, "m:8:60: PrefixSelectorRoute: memverbs has no route like this"},
		{"a hash", pools + `"route": {"type": "PoolRoute", "pool": "one", "hash": "Rendezvous"} }`, `m:8:40: memverbs has no layout for mcrouter's hash function "Rendezvous": it has those for Ch3, Crc32 and WeightedCh3`},
		{"a salt", pools + `"route": {"type": "PoolRoute", "pool": "one", "hash": {"hash_func": "Ch3", "salt": "x"}} }`, "m:8:76: salt: memverbs has no layout with it"},
		{"too few weights", pools + `"route": {"type": "PoolRoute", "pool": "one", "hash": {"hash_func": "WeightedCh3", "weights": [1]}} }`, "m:8:10: pool one has 2 servers, and there are 1 weights"},
		{"a weight of nothing", pools + `"route": {"type": "PoolRoute", "pool": "one", "hash": {"hash_func": "WeightedCh3", "weights": [1, 0]}} }`, `m:8:10: weight "0" of 10.0.0.2:11211 is not above 0 and at most 1`},
		{"no weights", pools + `"route": {"type": "PoolRoute", "pool": "one", "hash": "WeightedCh3"} }`, "m:8:40: weights and the hash function WeightedCh3 go together"},
		{"three pools", pools + `"route": {"type": "FailoverRoute", "children": ["PoolRoute|one", "PoolRoute|two", "PoolRoute|three"]} }`, "m:8:83: FailoverRoute: memverbs has one spare pool for a pool, another one than itself"},
		{"the servers of one pool for each other", pools + `"route": {"type": "FailoverRoute", "children": "Pool|one"} }`, "m:8:48: FailoverRoute: a list of route handles is expected here: the servers of one pool don't take each other's keys in memverbs"},
		{"two uses", pools + `"route": {"type": "PrefixSelectorRoute", "policies": {"a": {"type": "PoolRoute", "pool": "one", "hash": "Crc32"}}, "wildcard": "PoolRoute|one"} }`, "m:8:128: pool one is used in another way than at m:8:60: memverbs has one hash function and one spare for a pool; give it two names, with the same servers"},
		{"a shadow without a target", pools + `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"index_range": [0, 1]}]} }`, `m:8:59: this shadow has no target: add "target"`},
		{"a shadow of too much", pools + `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two", "key_fraction_range": [0, 2]}]} }`, `m:8:113: key_fraction_range: "2" is not a number from 0 to 1`},
		{"a range backwards", pools + `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|two", "index_range": [1, 0]}]} }`, `m:8:102: index_range: two numbers are expected here, the lower one first`},
		{"a shadow of itself", pools + `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|one"}]} }`, `m:8:59: PoolRoute: pool one can't be its own shadow`},
		{"a shadow with the same servers", pools + `"route": {"type": "PoolRoute", "pool": "one", "shadows": [{"target": "PoolRoute|same"}]} }`, `m:1:1: memverbs refuses the file that would be made of this: that file:33:33: shadow: pools one and same both have the server 10.0.0.1:11211: it would carry out requests twice on the same items`},
		{"itself", pools + `"named_handles": [{"type": "LoggingRoute", "name": "a", "target": "b"}, {"type": "LoggingRoute", "name": "b", "target": "a"}], "route": {"type": "LoggingRoute", "target": "a"} }`, `m:8:121: the route handle "a" leads to itself`},
		{"macros", `{ "macros": {}, "route": "PoolRoute|one" }`, `m:1:3: macros: mcrouter's macros are not read here: give the file in which mcrouter has carried them out, which a client is told by "get __mcrouter__.preprocessed_config"`},
		{"a macro", pools + `"route": "@import(x)" }`, `m:8:10: "@import(x)" is a macro of mcrouter's, which is not read here: give the file in which mcrouter has carried out its macros, which a client is told by "get __mcrouter__.preprocessed_config"`},
		{"another protocol", `{ "pools": { "a": { "servers": ["a:1"], "protocol": "umbrella" } }, "route": "PoolRoute|a" }`, `m:1:53: protocol: pool a speaks "umbrella", a protocol of mcrouter's own; memverbs speaks memcached's text protocol to its servers`},
		{"an encrypted server", `{ "pools": { "a": { "servers": ["a:1:ascii:ssl"] } }, "route": "PoolRoute|a" }`, `m:1:33: servers: server "a:1:ascii:ssl": "ascii:ssl" is not memcached's text protocol without encryption`},
		{"no servers", `{ "pools": { "a": { "region": "x" } }, "route": "PoolRoute|a" }`, `m:1:14: pool a has no servers: add "servers"`},
		{"an unknown pool's servers", `{ "pools": { "a": { "inherit": "b" } }, "route": "PoolRoute|a" }`, `m:1:32: inherit: there is no pool "b" before this one`},
		{"a prefix of no key", pools + `"route": {"type": "PrefixSelectorRoute", "policies": {"a b": "PoolRoute|one"}} }`, `m:1:1: memverbs refuses the file that would be made of this: that file:28:7: routes: "a b" is no prefix of keys: expected 1 to 250 bytes without white space or control characters`},
		{"the same alias twice", pools + `"routes": [{"aliases": ["/a/b/", "/a/b/"], "route": "PoolRoute|one"}] }`, `m:1:1: two routes are for the prefix "/a/b/"`},
	} {
		_, _, err := importText(test.text)
		if err == nil || err.Error() != test.says {
			t.Errorf("%s:\n%v, expected\n%s", test.name, err, test.says)
		}
	}
}

// What mcrouter accepts besides JSON becomes spaces, and all else keeps its place.
func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{}":                       "{}",
		"/* a\n b */{} // c\n":     "    \n     {}     \n",
		`{"a": "//", "b": "\"/*"}`: `{"a": "//", "b": "\"/*"}`,
		"[1, 2, ]":                 "[1, 2  ]",
		"{\"a\":\t[1,/* x */\n],}": "{\"a\": [1        \n] }",
		`["a,]", 1]`:               `["a,]", 1]`,
		"/* open":                  "       ",
		`"open`:                    `"open`,
		`"open\`:                   `"open\`,
		"// only":                  "       ",
	} {
		if got := string(Plain([]byte(text))); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"{": true, " // a": true, "/* */ {": true, "main:": false, "# a": false, "": false, "/run/x": false} {
		if IsJSON([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

// No file makes the conversion panic, or leads to a file that is no YAML or that memverbs does not understand.
func FuzzImport(f *testing.F) {
	f.Add(pools + `"route": {"type": "PrefixSelectorRoute", "policies": {"a": "PoolRoute|one", "b\u00e9": "PoolRoute|two"}, "wildcard": "FailoverRoute|Pool|three"} }`)
	f.Add(pools + `"routes": [{"aliases": ["/a/b/"], "route": {"type": "FailoverRoute", "children": ["PoolRoute|one|Crc32", "PoolRoute|two"]}}] }`)
	f.Add(`{"pools":{"a\n":{"servers":["unix:/x","[::1]:1:ascii"],"x\u2028":1}},"route":"PoolRoute|a\n"}`)
	f.Fuzz(func(t *testing.T, text string) {
		made, _, err := importText(text)
		if err != nil {
			return
		}
		root, err := yamlfile.Parse("made", []byte(made))
		if err == nil {
			_, _, err = settings.Parse(root)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, made)
		}
	})
}
