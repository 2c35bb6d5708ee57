package settings

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
)

func TestCollisions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b    string
		collide bool
	}{
		{":1", ":1", true},
		{":1", ":2", false},
		{":0", ":0", false},
		{":1", "127.0.0.1:1", true},
		{"[::1]:1", ":1", true},
		{"0.0.0.0:1", "127.0.0.1:1", true},
		{"0.0.0.0:1", "localhost:1", true},
		{"0.0.0.0:1", "[::1]:1", true},
		{"localhost:1", "127.0.0.1:1", true},
		{"LocalHost:1", "[::1]:1", false},
		{"[::ffff:127.0.0.1]:1", "127.0.0.1:1", true},
		{"[0::1]:1", "[::1]:01", true},
		{"unix:/a//b", "unix:/a/b", true},
		{"unix:/a", "unix:/A", false},
		{"[::]:1", "0.0.0.0:1", true},
		{"127.0.0.1:1", "127.0.0.2:1", false},
		{"unix:/a", "unix:/a", true},
		{"unix:/a", "unix:/b", false},
		{"unix:/a", ":1", false},
	} {
		_, _, err := parseSettings("pools: {main: {servers: [a], listen: ['" + test.a + "', '" + test.b + "']}}")
		if (err != nil) != test.collide {
			t.Errorf("%s and %s: %v", test.a, test.b, err)
		}
		o := NewFlags()
		if _, err := o.Parse([]string{"--listen", test.a, "--listen", test.b, "--upstream", "a"}); err != nil {
			t.Fatal(err)
		}
		if _, _, err = o.Settings(); (err != nil) != test.collide {
			t.Errorf("--listen %s and %s: %v", test.a, test.b, err)
		}
	}
}

// The admin server has an address of its own.
func TestAdminCollides(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ admin, says string }{
		{"localhost:1", "f:1:8: localhost:1 can't be listened on twice: :1 is at f:4:14; remove one"},
		{"localhost:2", ""},
	} {
		_, _, err := parseSettings("admin: " + test.admin + "\n" + settingstest.Smallest)
		if (err == nil) != (test.says == "") || err != nil && err.Error() != test.says {
			t.Errorf("%s: %v", test.admin, err)
		}
	}
	o := NewFlags()
	if _, err := o.Parse([]string{"--admin", "127.0.0.1:11211"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Settings(); err == nil || err.Error() != "127.0.0.1:11211 can't be listened on twice: --listen or --admin has 127.0.0.1:11211 too; remove one" {
		t.Errorf("--admin: %v", err)
	}
}

// One mistake does not hide another, nor lead to an error about something that is right.
func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := parseSettings(`loops: 0
listeners:
  - listen: [":1", 2]
    routes: {"": mian, b: other}
  - listen: [":3"]
    idle: 1s
pools:
  main:
    lisen: [":1"]
    servers: [a, a]
    on-down: spare:main
    verbs: [all, sadd]
    timeout: 1
  other:
    servers: [a:0]
    layout: jump
  third:
    servers: ['a:1:2']
    layout: jmp
    on-down: spare:nobody
    max-item-size: 1
    max-item-size: 2
  b c:
    listen: [":1"]
    servers: [a]
  empty:
`)
	expected := []string{
		`1:8: loops: "0" is`,
		`3:20: listen: "2": expected`,
		`4:18: there is no pool "mian"`,
		`6:5: no key "idle" here`,
		`9:5: no key "lisen" here`,
		`10:14: servers: server "a:11211" is in the pool twice`,
		`11:14: on-down: pool main can't be its own spare`,
		`12:12: verbs: all and none`,
		`13:14: timeout: "1" is not a duration`,
		`15:15: servers: server "a:0"`,
		`19:13: layout: no layout "jmp"`,
		`20:14: on-down: there is no pool "nobody"`,
		`21:20: max-item-size: "1" is not a size`,
		`22:5: the key "max-item-size" is there twice`,
		`23:3: "b c" can't be the name of a pool`,
		`26:10: a mapping is expected here`,
	}
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		if i >= len(expected) || !strings.HasPrefix(line, "f:"+expected[i]) {
			t.Errorf("error %d is %q", i, line)
		}
	}
	if len(lines) != len(expected) {
		t.Errorf("%d errors, expected %d", len(lines), len(expected))
	}
}

// What is allowed, but hardly meant, is told.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const second = "  b:\n    listen: [':2']\n    servers: [a]\n"
	for _, test := range []struct{ lines, says string }{
		{"    spare-ttl: 4s\n", "f:5:16: warning: spare-ttl has no effect without on-down: spare:<pool>"},
		{"    on-return: delete\n" + second, ""},
		{second + "    on-return: flush\n", "f:5:3: warning: pools main and b both have the server a:11211, but differ in on-return: what the one leaves there, the other may delete"},
		{"    on-down: spare:b\n    spare-ttl: 4s\n" + second, ""},
	} {
		_, warnings, err := parseSettings(settingstest.Smallest + test.lines)
		if err != nil || (len(warnings) == 0) != (test.says == "") || len(warnings) > 1 || len(warnings) == 1 && warnings[0].String() != test.says {
			t.Errorf("%q: %v, %v", test.lines, warnings, err)
		}
	}
}

// Pools with a server in common give a client's requests no order there, if keys can be the same.
func TestWarningOfAServerOfSeveralPools(t *testing.T) {
	t.Parallel()
	const pools = "pools:\n  a: {servers: [x, y]}\n  b: {servers: [z, y%s]}\nlisteners:\n- listen: [':1']\n  routes:\n    '': a\n    'b:': "
	for _, test := range []struct {
		spare, route string
		warn         bool
	}{
		{"", "{pool: b, strip: true}", true},
		{"", "b", false}, // no two keys of clients are the same there
		{"], on-down: 'spare:c'}\n  c: {servers: [w", "{pool: b, strip: true}", true},
		{"], on-down: 'spare:c'}\n  c: {servers: [x, v", "b", false},
	} {
		_, warnings, err := parseSettings(fmt.Sprintf(pools, test.spare) + test.route + "\n")
		if err != nil || (len(warnings) == 1) != test.warn {
			t.Errorf("%+v: %v, %v", test, err, warnings)
		}
		const says = `keys of the prefixes "" and "b:" can be the same on server y:11211, as a prefix is stripped and pools a and b both have it`
		if test.warn && len(warnings) > 0 && !strings.Contains(warnings[0].String(), says) {
			t.Errorf("%+v: %v", test, warnings[0])
		}
	}
}

// Pools over the same servers should place keys alike.
func TestWarningOfLayouts(t *testing.T) {
	t.Parallel()
	const first = "pools:\n  a: {listen: [':1'], servers: [x, y]}\n  b: {listen: [':2'], servers: "
	const same, some = "a and b have the same servers but place keys", "a and b have servers in common but place keys"
	for _, test := range []struct{ rest, says string }{
		{"[x, y]}", ""},
		{"[v, w], layout: jump}", ""},
		{"[x, y, z]}", some},
		{"[y], layout: jump}", some},
		{"[x, z], layout: jump}", ""},
		{"[y, x], layout: jump}", same},
		{"[x, y], hash-tag: '{}'}", same},
		{"['x:11211:2', y]}", same},
	} {
		_, warnings, err := parseSettings(first + test.rest)
		if err != nil || (len(warnings) == 1) != (test.says != "") {
			t.Errorf("%s: %v, %v", test.rest, err, warnings)
		}
		if len(warnings) > 0 && !strings.HasPrefix(warnings[0].String(), "f:3:3: warning: pools "+test.says) {
			t.Errorf("%s: %v", test.rest, warnings[0])
		}
	}
}

// The log of a reload can tell a changed password from a changed user, and shows neither.
func TestShownSettings(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, "one")
	shown := func(user, password string) (texts map[string]string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(password), 0o600); err != nil {
			t.Fatal(err)
		}
		s, _, err := parseSettings(settingstest.Smallest + "    user: " + user + "\n    password-file: " + path + "\n")
		if err != nil {
			t.Fatal(err)
		}
		texts = map[string]string{}
		for _, setting := range s.Pools[0].Texts {
			texts[setting.Name] = setting.Text
			if strings.Contains(setting.Text, password) {
				t.Errorf("%s shows the password: %s", setting.Name, setting.Text)
			}
		}
		return texts
	}
	first, second, third := shown("ann", "secret-one"), shown("bob", "secret-one"), shown("bob", "secret-two")
	for _, test := range []struct {
		before, after map[string]string
		changed       string
	}{{first, second, "user"}, {second, third, "password-file"}} {
		for name, text := range test.after {
			if (test.before[name] != text) != (name == test.changed) {
				t.Errorf("%s was %q and is %q, when %s has changed", name, test.before[name], text, test.changed)
			}
		}
	}
	if _, has := first["listen"]; has || first["servers"] != `["a"]` {
		t.Errorf("the settings of the pool are %v", first)
	}
}

// Where a prefix is stripped, the keys of two routes should not become the same.
func TestWarningOfMeetings(t *testing.T) {
	t.Parallel()
	const pools = `pools:
  a: {servers: [a], listen: [':1'], on-down: spare:c}
  b: {servers: [b], listen: [':2'], on-down: spare:d}
  c: {servers: [c], listen: [':3']}
  d: {servers: [d], listen: [':4']}
  e: {servers: [e], listen: [':5']}
`
	for _, test := range []struct{ routes, warning string }{
		{"{'': a, x: {pool: b, strip: true}}", ""},
		{"{'': a, x: a, y: c}", ""},
		{"{'': a, x: {pool: a, strip: true}}", `f:7:46: warning: keys of the prefixes "" and "x" can be the same in pool a,`},
		{"{x: {pool: e, strip: true}, '': e}", `f:7:66: warning: keys of the prefixes "x" and "" can be the same in pool e,`},
		{"{'': a, x: {pool: c, strip: true}}", `f:7:46: warning: keys of the prefixes "" and "x" can be the same in pool c,`},
		{"{'': d, x: {pool: b, strip: true}}", `f:7:46: warning: keys of the prefixes "" and "x" can be the same in pool d,`},
	} {
		s, warnings, err := parseSettings(pools + "listeners: [{listen: [':9'], routes: " + test.routes + "}]\n")
		if err != nil || (len(warnings) > 0) != (test.warning != "") || len(warnings) > 0 && !strings.HasPrefix(warnings[0].String(), test.warning) {
			t.Errorf("%s: %v, %v", test.routes, err, warnings)
		} else if strings.Contains(test.routes, "strip") != strings.Contains(s.Summary(), " without this prefix") {
			t.Errorf("%s: %s", test.routes, s.Summary())
		}
	}
}

// The prefixes in near are those of keys as they are stored.
func TestWarningOfStripped(t *testing.T) {
	t.Parallel()
	const says = `f:2:27: warning: near has the prefix "x:config:", but the route of "x:" strips that: the prefix is that of the keys as they are stored, which is "config:" here`
	for _, test := range []struct {
		near, listen, routes string
		warn                 bool
	}{
		{"x:config:", "", "{'': b, 'x:': {pool: a, strip: true}}", true},
		{"config:", "", "{'': b, 'x:': {pool: a, strip: true}}", false},
		{"x:config:", "", "{'': b, 'x:': a}", false},
		{"x:config:", "listen: [':1'], ", "{'': b, 'x:': {pool: a, strip: true}}", false}, // whose keys keep it
		{"x:config:", "", "{'': b, 'x:': {pool: a, strip: true}, 'x:config:': a}", false},
		{"x:config:", "", "{'': b, 'x:': {pool: b, strip: true}, 'y:': a}", false},
	} {
		text := fmt.Sprintf("pools:\n  a: {servers: [a], near: {'%s': 1s}, %s}\n  b: {servers: [b]}\nlisteners: [{listen: [':9'], routes: %s}]\n", test.near, strings.TrimSuffix(test.listen, ", "), test.routes)
		text = strings.ReplaceAll(text, ", }", "}")
		_, warnings, err := parseSettings(text)
		told := false
		for _, w := range warnings {
			told = told || strings.Contains(w.String(), "near has the prefix")
		}
		if err != nil || told != test.warn || told && warnings[0].String() != says {
			t.Errorf("%+v: %v, %v", test, err, warnings)
		}
		_, warnings, err = parseSettings(strings.ReplaceAll(text, "near:", "hold-misses:"))
		if err != nil || test.warn != (len(warnings) > 0 && strings.Contains(warnings[0].String(), "hold-misses has the prefix")) {
			t.Errorf("%+v for hold-misses: %v, %v", test, err, warnings)
		}
	}
}

// A pool whose servers are found is warned of if proxies may learn of a change later than settle allows for.
func TestWarningOfFoundServers(t *testing.T) {
	t.Parallel()
	for lines, warn := range map[string]bool{
		`servers: ["dns:cache.test"]`:                                     false,
		"servers: [\"dns:cache.test\"]\n    settle: 11s":                  true,
		"servers: [\"dns:cache.test\"]\n    settle: 11001ms":              false,
		"servers: [\"dns:cache.test\"]\n    discover-every: 29s":          true,
		"servers: [\"dns:cache.test\"]\n    timeout: 2s\n    settle: 12s": true,
		"servers: [\"10.0.0.1\"]\n    settle: 1s":                         false,
	} {
		_, warnings, err := parseSettings("pools:\n  main:\n    listen: [\":11311\"]\n    " + lines + "\n")
		if err != nil || (len(warnings) == 1) != warn || warn && !strings.Contains(warnings[0].String(), "but proxies may learn of a change of the servers of pool main up to") {
			t.Errorf("%s: %v, %v", lines, warnings, err)
		}
	}
}
