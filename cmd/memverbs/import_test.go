package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// Every setting of twemproxy is converted, or what differs is told.
func TestImport(t *testing.T) {
	t.Parallel()
	const from = `alpha:
  listen: 127.0.0.1:22121
  hash: md5
  hash_tag: "{}"
  distribution: modula
  timeout: 400
  backlog: 1024
  client_connections: 100
  preconnect: true
  tcpkeepalive: false
  redis: false
  redis_db: 0
  redis_auth: secret
  auto_eject_hosts: true
  server_connections: 2
  server_retry_timeout: 2000
  server_failure_limit: 1
  servers:
   - 10.0.0.1:11211:1 first
   - 10.0.0.2:11211:2 second
beta.1:
  listen: /run/beta.sock 0666
  distribution: random
  slow: 1
  servers:
   - ::1:11212:1
   - /run/memcached.sock:2 third
`
	const to = `pools:
  alpha:
    # backlog: 1024: memverbs takes the system's limit
    # client_connections: 100: twemproxy 0.5.0 ignores this; memverbs has max-clients for all pools
    # auto_eject_hosts: while a server fails, twemproxy moves its keys to others; memverbs refuses them until it is back, so that no client reads stale values; with on-down: miss, gets of them are misses meanwhile, and with on-down: spare:<pool> another pool takes them
    # server_connections: 2: memverbs has one or two connections to each server for each of its loops
    # server_retry_timeout: 2000: memverbs tries to reconnect several times a second, and less often after a while
    listen: ["127.0.0.1:22121"]
    layout: twemproxy:modula:md5
    hash-tag: "{}"
    timeout: 400ms
    servers:
      - "10.0.0.1:11211:1 first"
      - "10.0.0.2:11211:2 second"
  "beta.1":
    # distribution random: twemproxy sends each request to a random server, which memverbs does not do; with ketama each key has one server
    # slow is no setting of twemproxy 0.5.0, so it is left out
    # pool beta.1 has no timeout, so twemproxy waits for ever for a server; memverbs waits for a second
    listen: ["unix:/run/beta.sock"]
    socket-mode: 0666
    layout: twemproxy:ketama:fnv1a_64
    servers:
      - "[::1]:11212:1"
      - "/run/memcached.sock:2 third"
`
	path := write(t, from)
	var out, errs bytes.Buffer
	if status := run([]string{"import", path}, nil, &out, &errs); status != exitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	head, got, _ := strings.Cut(out.String(), "pools:\n")
	if got = "pools:\n" + got; got != to {
		t.Errorf("%s\nexpected\n%s", got, to)
	}
	if !strings.HasPrefix(head, "# Made by memverbs import from "+path) || !strings.Contains(head, "flush_all") {
		t.Errorf("the head is %q", head)
	}
	var warned []string
	for _, line := range strings.Split(strings.TrimSpace(errs.String()), "\n") {
		warned = append(warned, strings.TrimPrefix(line, path+":"))
	}
	for i, expected := range []string{"14:21: warning: auto_eject_hosts", "23:17: warning: distribution random", "24:3: warning: slow is no setting", "21:1: warning: pool beta.1 has no timeout"} {
		if i >= len(warned) || !strings.HasPrefix(warned[i], expected) {
			t.Errorf("warning %d is not %q: %q", i, expected, warned)
		}
	}
}

// The file is not written over another.
func TestImportOutput(t *testing.T) {
	t.Parallel()
	from, to := write(t, nutcrackerMain), filepath.Join(t.TempDir(), "memverbs.yml")
	for _, expected := range []int{exitOK, exitUsage} {
		var out, errs bytes.Buffer
		status := run([]string{"import", from, "-o", to}, nil, &out, &errs)
		refused := strings.Contains(errs.String(), "memverbs: --output: "+to+" is there already: choose another name, or remove it\n")
		if status != expected || out.Len() > 0 || refused != (expected == exitUsage) {
			t.Errorf("status %d, %q and %q, expected %d", status, out.String(), errs.String(), expected)
		}
	}
	if text, err := os.ReadFile(to); err != nil || !strings.Contains(string(text), "twemproxy:ketama:fnv1a_64") {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// A misspelt setting is told of, also if the file can't be converted without it.
func TestImportOfAMisspeltSetting(t *testing.T) {
	t.Parallel()
	path := write(t, strings.Replace(nutcrackerMain, "servers", "server", 1))
	var out, errs bytes.Buffer
	status := run([]string{"import", path}, nil, &out, &errs)
	expected := path + ":4:3: warning: server is no setting of twemproxy 0.5.0, so it is left out; is \"servers\" meant?\n" +
		path + ":1:1: pool main has no servers: add \"servers:\"\n"
	if status != exitWrongFile || out.Len() > 0 || errs.String() != expected {
		t.Errorf("status %d, %q and\n%s, expected\n%s", status, out.String(), errs.String(), expected)
	}
}

// nutcrackerMain is a smallest configuration of twemproxy.
const nutcrackerMain = "main:\n  listen: 127.0.0.1:22121\n  timeout: 1\n  servers:\n  - a:11211:1\n"

func TestImportListen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		listen, becomes string
		warnings        int // of addresses that differ
	}{
		{"0:22121", `["0.0.0.0:22121"]`, 1},
		{"'*:22121'", `["localhost:22121"]`, 1},
		{"10.0.0.9:22121", `["10.0.0.9:22121"]`, 0},
		{"::1:22121", `["[::1]:22121"]`, 0},
		{"127.0.0.1:22121", `["127.0.0.1:22121"]`, 0},
		{"/run/a", `["unix:/run/a"]`, 0},
		{"/run/a 0777", "[\"unix:/run/a\"]\n    socket-mode: 0777", 0},
	} {
		text, warnings, err := importText(strings.Replace(nutcrackerMain, "127.0.0.1:22121", test.listen, 1))
		if err != nil || !strings.Contains(text, "listen: "+test.becomes+"\n") || len(warnings) != test.warnings {
			t.Errorf("%s: %v, %s", test.listen, err, text)
		}
	}
}

func TestImportErrors(t *testing.T) {
	t.Parallel()
	with := func(lines string) string { return nutcrackerMain + "  " + lines + "\n" }
	for _, test := range []struct{ name, file, says string }{
		{"empty", "", "n:1:1: the file is empty"},
		{"no mapping", "main\n", "n:1:1: a mapping is expected here: lines of a key, a colon and a value"},
		{"an empty pool", "main:\n", "n:1:7: a mapping is expected here: lines of a key, a colon and a value\nn:1:1: pool main has no listen: add \"listen:\"\nn:1:1: pool main has no servers: add \"servers:\""},
		{"a wrong name", "a b:\n  x: y\n", `n:1:1: "a b" can't be the name of a pool: use 1 to 64 bytes without white space or control characters`},
		{"only Redis", with("redis: true"), "n:1:1: no pool is left: all of them are for Redis, and memverbs serves memcached only"},
		{"a wrong switch", with("auto_eject_hosts: yes"), `n:6:21: auto_eject_hosts: "yes" is neither true nor false`},
		{"a wrong number", with("backlog: -1"), `n:6:12: backlog: "-1" is not a whole number from 0 to 2147483647`},
		{"a wrong hash", with("hash: sha"), `n:6:9: hash: no hash "sha": expected one of one_at_a_time, md5, crc16, crc32, crc32a, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, hsieh, murmur, jenkins`},
		{"a wrong distribution", with("distribution: ring"), `n:6:17: distribution: no distribution "ring": expected ketama or modula`},
		{"a wrong tag", with("hash_tag: '{'"), `n:6:13: hash_tag: "{" is no hash tag: expected two characters (of one byte each), such as {}`},
		{"no port", "main:\n  listen: 22121\n  servers:\n  - a:1:1\n", `n:2:11: listen: "22121" is not host:port`},
		{"a wrong mode", "main:\n  listen: /run/a 0444\n  servers:\n  - a:1:1\n", `n:2:11: listen: with "0444" nobody could connect, which takes permission to write; write it like 0700 or 0770`},
		{"a wrong server", strings.Replace(nutcrackerMain, "a:11211:1", "a:11211:0", 1), `n:5:5: servers: server "a:11211:0": weight "0" is not a number from 1 to 65535; expected host:port[:weight [name]], [ipv6]:port[:weight [name]] or unix:/path[:weight [name]]`},
		{"a server twice", nutcrackerMain + "  - a:11211:1\n", `n:5:3: servers: server "a:11211" is in the pool twice: expected each server once`},
		{"an address twice", nutcrackerMain + strings.Replace(nutcrackerMain, "main", "other", 1), "n:7:11: 127.0.0.1:22121 can't be listened on twice: pool main has 127.0.0.1:22121; change one"},
	} {
		_, _, err := importText(test.file)
		if err == nil || err.Error() != test.says {
			t.Errorf("%s:\n%q, expected\n%q", test.name, err, test.says)
		}
	}
}

// A server under two names is two servers to twemproxy, and has the keys of both.
func TestImportOfAServerUnderTwoNames(t *testing.T) {
	t.Parallel()
	text, _, err := importText(strings.Replace(nutcrackerMain, "a:11211:1", "a:11211:1 one\n  - a:11211:1 two", 1))
	if err != nil || !strings.Contains(text, "\"a:11211:1 one\"\n      - \"a:11211:1 two\"\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A pool of Redis does not keep the others from being converted: it is left out, whatever else it says.
func TestImportLeavesOutRedis(t *testing.T) {
	t.Parallel()
	for _, redis := range []string{
		"  listen: 127.0.0.1:22122\n  redis: true\n  auto_eject_hosts: true\n  servers:\n  - r:6379:1\n",
		"  redis: true\n  listen: 127.0.0.1:22121\n  servers:\n  - r:6379:0\n",
		"  servers:\n  - r:6379:1\n  redis: true\n",
	} {
		for _, file := range []string{"queue:\n" + redis + nutcrackerMain, nutcrackerMain + "queue:\n" + redis} {
			text, warnings, err := importText(file)
			if err != nil || len(warnings) != 1 || !strings.HasSuffix(warnings[0].String(), ": warning: redis: pool queue is left out: memverbs serves memcached only, not Redis; leave this pool to twemproxy") {
				t.Errorf("%v, %v\n%s", err, warnings, file)
			}
			if strings.Contains(text, "queue:") || strings.Contains(text, "r:6379") || !strings.Contains(text, "\n# Pool queue is for Redis,") || !strings.Contains(text, "\n  main:\n") {
				t.Errorf("it became\n%s", text)
			}
		}
	}
}

// importText converts text, which errors call n.
func importText(text string) (result string, warnings []warning, err error) {
	root, err := yamlfile.Parse("n", []byte(text))
	if err != nil {
		return "", nil, err
	}
	made, warnings, err := fromNutcracker("n", root)
	return string(made), warnings, err
}

// No file makes the conversion panic, or leads to a file that is no YAML or that memverbs does
// not understand.
func FuzzImport(f *testing.F) {
	f.Add(nutcrackerMain)
	f.Add("\"a\\x7f\\u2028\":\n  listen: /run/a 0777\n  hash_tag: \"\\\"\\\\\"\n  foo\\\"bar: x\n  servers: [\"::1:1:1 n\\u00e9\", '/x:1']\n")
	f.Fuzz(func(t *testing.T, text string) {
		made, _, err := importText(text)
		if err != nil {
			return
		}
		root, err := yamlfile.Parse("made", []byte(made))
		if err == nil {
			_, _, err = readSettings(root)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, made)
		}
	})
}
