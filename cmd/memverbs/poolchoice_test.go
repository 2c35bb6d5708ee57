package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/sharding"
)

// twoPools is a file whose pools place keys differently.
const twoPools = `pools:
  main:
    listen: [":1"]
    layout: twemproxy:modula:murmur
    hash-tag: "{}"
    unhashed-prefix: ["app:"]
    servers: ["10.0.0.1:11211:2 alpha", "10.0.0.2:11211:1 beta", "10.0.0.3"]
    connect-timeout: 7s
  other:
    listen: [":2"]
    layout: jump
    servers: [a, b, c, d]
`

// locate places keys by a pool of a file as by flags that describe it.
func TestLocateByAFile(t *testing.T) {
	t.Parallel()
	path, only := settingstest.Write(t, twoPools), settingstest.Write(t, strings.ReplaceAll(settingstest.Smallest, "[a]", "[x, y]"))
	keys := []string{"a", "b", "app:{7}x", "{7}y", "user:1", "user:2", "user:3", "user:4"}
	for _, test := range []struct{ byFile, byFlags []string }{
		{[]string{"--config", path, "--pool", "main"}, []string{"--layout", "twemproxy:modula:murmur", "--hash-tag", "{}", "--unhashed-prefix", "app:", "--upstream", "10.0.0.1:11211:2 alpha,10.0.0.2:11211:1 beta,10.0.0.3"}},
		{[]string{"--config", path, "--pool", "other"}, []string{"--layout", "jump", "--upstream", "a,b,c,d"}},
		{[]string{"--config", only}, []string{"--upstream", "x,y"}},
		{[]string{"--config", only, "--of", "user"}, []string{"--upstream", "x,y", "--of", "user"}},
	} {
		var outs [2]string
		for i, flags := range [][]string{test.byFile, test.byFlags} {
			var out, errs strings.Builder
			of := keys
			if strings.Contains(strings.Join(flags, " "), "--of") {
				of = []string{"user:1"}
			}
			if status := run(slices.Concat([]string{"locate"}, flags, of), nil, &out, &errs); status != exitOK || errs.Len() > 0 {
				t.Errorf("%q: status %d, %s", flags, status, errs.String())
			}
			outs[i] = out.String()
		}
		if outs[0] == "" || outs[0] != outs[1] {
			t.Errorf("%q prints\n%s%q prints\n%s", test.byFile, outs[0], test.byFlags, outs[1])
		}
	}
}

// verify takes the servers, and how they are reached, from the pool.
func TestVerifyByAFile(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, twoPools)
	for _, test := range []struct {
		args    []string
		timeout time.Duration
	}{
		{nil, 7 * time.Second},
		{[]string{"--connect-timeout", "3s", "--sample", "5"}, 3 * time.Second},
	} {
		v := asked(t, append([]string{"--config", path, "--pool", "main"}, test.args...)...)
		c, _, err := v.check(nil)
		if err != nil || len(c.Servers) != 3 || c.Servers[0].Name != "10.0.0.1:11211:2 alpha" || c.Servers[0].Share != 2 || c.ConnectTimeout != test.timeout || len(c.Layouts) != 1 || c.Layouts[0].Name != "twemproxy:modula:murmur" {
			t.Errorf("%q: %v, %+v", test.args, err, c)
		}
	}
}

// asked returns what flags of verify ask for.
func asked(t *testing.T, flags ...string) *verification {
	t.Helper()
	v := &verification{}
	if err := setting.ParseCommandLine(v.command().Flags(), flags); err != nil {
		t.Fatal(err)
	}
	return v
}

// verify knows the other pools that have some of the servers, by their addresses, whatever they call them.
func TestVerifyKnowsOtherPools(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, `pools:
  cache: {listen: [":1"], servers: ["10.0.0.1:11211:1 a", "10.0.0.2:11211:2 b"], layout: twemproxy:ketama:murmur}
  sessions: {listen: [":2"], servers: ["10.0.0.2", "10.0.0.3", "10.0.0.1"], layout: twemproxy:modula:murmur}
  apart: {listen: [":3"], servers: ["10.0.0.4"]}
`)
	v := asked(t, "--config", path, "--pool", "cache")
	c, _, err := v.check(nil)
	if err != nil || len(c.Others) != 1 || c.Others[0].Name != "sessions" {
		t.Fatalf("%v, %+v", err, c.Others)
	}
	sessions, err := sharding.ByName("twemproxy:modula:murmur", []sharding.Server{{Host: "10.0.0.2", Port: 11211, Weight: 1}, {Host: "10.0.0.3", Port: 11211, Weight: 1}, {Host: "10.0.0.1", Port: 11211, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		key := []byte(fmt.Sprint("sess:", i))
		if got, want := c.Others[0].Locate(key), []int{1, -1, 0}[sessions.Locate(key)]; got != want {
			t.Errorf("%s is located at %d, expected %d", key, got, want)
		}
	}
}

// What does not fit together is told in one line, by both.
func TestWrongChoiceOfAPool(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, twoPools)
	for _, test := range []struct {
		flags []string
		says  string
	}{
		{nil, "--upstream: a server is needed, or a file by --config"},
		{[]string{"--pool", "main"}, "--pool is the name of a pool in a file: add --config"},
		{[]string{"--config", ""}, "--config: the name of the file is empty"},
		{[]string{"--config", path}, `--config: the file has several pools: choose one of ["main" "other"] by --pool`},
		{[]string{"--config", path, "--pool", "mian"}, `--pool: there is no pool "mian" in the file; is "main" meant?`},
		{[]string{"--config", path, "--pool", "main", "--hash-tag", "{}"}, "--config and --hash-tag can't be combined: set hash-tag in the file"},
		{[]string{"--config", path, "--pool", "main", "--upstream", "a"}, "--config and --upstream can't be combined: set servers in the file"},
	} {
		for _, name := range []string{"locate", "verify"} {
			var out, errs strings.Builder
			if status := run(append([]string{name}, test.flags...), strings.NewReader(""), &out, &errs); status != exitUsage || out.Len() > 0 || errs.String() != "memverbs: "+test.says+"\n" {
				t.Errorf("%s %q: status %d, %q and %q", name, test.flags, status, out.String(), errs.String())
			}
		}
	}
}
