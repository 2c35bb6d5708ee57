package layouts

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

// original is a client or a proxy that decides itself where a key goes.
type original struct {
	name  string
	takes keySet
	store func(t *testing.T, layout string, p *pool, keys []string)
}

// The clients. Which of their settings go with which layout, their programs in
// the folder writers show.
var (
	libmemcached       = original{"libmemcached", anyBytes, storeWithC("libmemcached.c", "-lmemcached")}
	phpMemcached       = original{"php-memcached", ascii, storeWith("php", "php-memcached.php")}
	peclMemcache       = original{"pecl-memcache", ascii, storeWith("php", "pecl-memcache.php")}
	pylibmc            = original{"pylibmc", anyBytes, storeWith(python, "-I", "pylibmc.py")}
	pythonMemcached    = original{"python-memcached", anyBytes, storeWith(python, "-I", "python-memcached.py")}
	pymemcache         = original{"pymemcache", utf8Text, storeWith(python, "-I", "pymemcache.py")}
	nodeMemcached      = original{"node-memcached", javaScript, storeWith("node", "node-memcached.js")}
	dalli              = original{"dalli", anyBytes, storeWith("ruby", "dalli.rb")}
	spymemcached       = original{"spymemcached", utf8Text, storeWith("java", "-cp", "/usr/share/java/spymemcached.jar", "Spymemcached.java")}
	cacheMemcachedFast = original{"cache-memcached-fast", anyBytes, storeWith("perl", "cache-memcached-fast.pl")}
	gomemcache         = original{"gomemcache", anyBytes, storeWithGomemcache}
)

// python is the one that the machine's packages are for; there may be others.
const python = "/usr/bin/python3"

// storeWith returns what runs a writer: a program of the folder of that name,
// which is run by command, and is told the layout, a file of keys and the
// servers.
func storeWith(command string, args ...string) func(*testing.T, string, *pool, []string) {
	return func(t *testing.T, layout string, p *pool, keys []string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(file, []byte(strings.Join(keys, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, command, slices.Concat(args, []string{layout, file}, p.servers)...)
	}
}

// storeWithC returns what compiles a writer and runs it.
func storeWithC(source string, libraries ...string) func(*testing.T, string, *pool, []string) {
	return func(t *testing.T, layout string, p *pool, keys []string) {
		t.Helper()
		program := filepath.Join(t.TempDir(), "writer")
		run(t, "gcc", append([]string{"-o", program, source}, libraries...)...)
		storeWith(program)(t, layout, p, keys)
	}
}

// run runs a command in the folder of writers and waits until it is done.
func run(t *testing.T, command string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*harness.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = "writers"
	cmd.Env = harness.ClientEnv(t)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\nIf that is because a client is not installed, run \"make needs\".", cmd, err, said)
	}
}

// storeWithGomemcache names a server as often as its weight says, which is how
// gomemcache is told of weights.
func storeWithGomemcache(t *testing.T, _ string, p *pool, keys []string) {
	t.Helper()
	var servers []string
	for i, m := range p.memcacheds {
		times := 1
		if p.servers[i] != m.Addr {
			times = weights[i]
		}
		servers = append(servers, slices.Repeat([]string{m.Addr}, times)...)
	}
	client := memcache.New(servers...)
	client.Timeout = harness.Patience
	defer client.Close()
	for _, key := range keys {
		if err := client.Set(&memcache.Item{Key: key, Value: []byte(key)}); err != nil {
			t.Fatalf("gomemcache: %q: %v", key, err)
		}
	}
}
