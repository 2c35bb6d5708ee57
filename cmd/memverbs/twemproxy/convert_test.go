package twemproxy

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// smallestNutcracker is a configuration of twemproxy with nothing that could be left out.
const smallestNutcracker = "main:\n  listen: 127.0.0.1:22121\n  timeout: 1\n  servers:\n  - a:11211:1\n"

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
		text, warnings, err := importText(strings.Replace(smallestNutcracker, "127.0.0.1:22121", test.listen, 1))
		if err != nil || !strings.Contains(text, "listen: "+test.becomes+"\n") || len(warnings) != test.warnings {
			t.Errorf("%s: %v, %s", test.listen, err, text)
		}
	}
}

func TestImportErrors(t *testing.T) {
	t.Parallel()
	with := func(lines string) string { return smallestNutcracker + "  " + lines + "\n" }
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
		{"a wrong server", strings.Replace(smallestNutcracker, "a:11211:1", "a:11211:0", 1), `n:5:5: servers: server "a:11211:0": weight "0" is not a number from 1 to 65535; expected host:port[:weight [name]], [ipv6]:port[:weight [name]] or unix:/path[:weight [name]]`},
		{"a server twice", smallestNutcracker + "  - a:11211:1\n", `n:5:3: servers: server "a:11211" is in the pool twice: expected each server once`},
		{"an address twice", smallestNutcracker + strings.Replace(smallestNutcracker, "main", "other", 1), "n:7:11: 127.0.0.1:22121 can't be listened on twice: pool main has 127.0.0.1:22121; change one"},
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
	text, _, err := importText(strings.Replace(smallestNutcracker, "a:11211:1", "a:11211:1 one\n  - a:11211:1 two", 1))
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
		for _, file := range []string{"queue:\n" + redis + smallestNutcracker, smallestNutcracker + "queue:\n" + redis} {
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
func importText(text string) (result string, warnings []settings.Warning, err error) {
	root, err := yamlfile.Parse("n", []byte(text))
	if err != nil {
		return "", nil, err
	}
	made, warnings, err := Convert("n", root)
	return string(made), warnings, err
}

// No file makes the conversion panic, or leads to a file that is no YAML or that memverbs does
// not understand.
func FuzzImport(f *testing.F) {
	f.Add(smallestNutcracker)
	f.Add("\"a\\x7f\\u2028\":\n  listen: /run/a 0777\n  hash_tag: \"\\\"\\\\\"\n  foo\\\"bar: x\n  servers: [\"::1:1:1 n\\u00e9\", '/x:1']\n")
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
