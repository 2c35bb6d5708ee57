package outages

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

// driver is a client library with what asks it.
type driver struct {
	name    string
	command string                      // that runs the program, with a * in the place of the address; empty for gomemcache
	env     func(t testing.TB) []string // of it
	whole   bool                        // a multi-get is refused as a whole, as in the text protocol
	silent  bool                        // a get may be told as a miss whatever has come of it
	avoids  bool                        // after an error it may be a while until it asks the proxy again, which so does not hear of a set
	apart   bool                        // a multi-get is many requests, so a pop among them is run and told whatever becomes of the others
}

// drivers are the clients. The interpreters are those that have the packages: Debian's, whatever else comes first in PATH.
var drivers = []driver{
	{name: "dalli 3.0.6", command: "/usr/bin/ruby ruby-dalli.rb *", env: harness.OldDalli},
	{name: "dalli 3.2.8", command: "/usr/bin/ruby ruby-dalli.rb *", env: harness.ClientEnv},
	{name: "dalli 3.2.8 meta", command: "/usr/bin/ruby ruby-dalli.rb * meta", env: harness.ClientEnv, apart: true},
	{name: "dalli 5.2.1", command: "/usr/bin/ruby ruby-dalli.rb *", env: harness.NewDalli, apart: true},
	{name: "pylibmc", command: "/usr/bin/python3 python-pylibmc.py *", env: harness.ClientEnv, whole: true},
	{name: "pylibmc binary", command: "/usr/bin/python3 python-pylibmc.py * binary", env: harness.ClientEnv},
	{name: "python-memcached", command: "/usr/bin/python3 python-memcached.py *", env: harness.ClientEnv, whole: true, silent: true},
	{name: "Django's cache", command: "/usr/bin/python3 python-django.py *", env: harness.ClientEnv, whole: true},
	{name: "Cache::Memcached::Fast", command: "/usr/bin/perl perl-cache-memcached-fast.pl *", env: harness.ClientEnv, whole: true},
	{name: "Rails' store", command: "/usr/bin/ruby ruby-rails.rb *", env: harness.ClientEnv, whole: true},
	{name: "pymemcache", command: "/usr/bin/python3 python-pymemcache.py *", env: harness.ClientEnv, whole: true},
	{name: "php-memcached", command: "/usr/bin/php php-memcached.php *", env: harness.ClientEnv, whole: true},
	{name: "php-memcached binary", command: "/usr/bin/php php-memcached.php * binary", env: harness.ClientEnv},
	{name: "libmemcached's tools", command: "/bin/bash libmemcached-tools.sh *", env: harness.ClientEnv, whole: true, apart: true},
	{name: "libmemcached's tools binary", command: "/bin/bash libmemcached-tools.sh * binary", env: harness.ClientEnv, whole: true, apart: true},
	{name: "memjs", command: "node node-memjs.js *", env: harness.ClientEnv, apart: true},
	{name: "memcached of Node.js", command: "node node-memcached.js *", env: harness.ClientEnv, whole: true, avoids: true},
	{name: "spymemcached", command: "java -XX:TieredStopAtLevel=1 -cp /usr/share/java/spymemcached.jar java-spymemcached.java * binary", env: harness.ClientEnv},
	{name: "gomemcache", whole: true},
}

// asker answers a line as a driver does. It returns an error only if that can't be done at all.
type asker func(line string) (answer string, err error)

// start starts a driver that asks the server at addr.
func (d driver) start(t *testing.T, addr string) asker {
	if d.command == "" {
		client := memcache.New(addr)
		client.Timeout = harness.Patience
		t.Cleanup(func() { _ = client.Close() })
		return func(line string) (string, error) { return askGomemcache(client, strings.Fields(line)), nil }
	}
	ctx, cancel := context.WithTimeout(context.Background(), 6*harness.Patience) // the program outlives the context of t
	words := strings.Fields(strings.ReplaceAll(d.command, "*", addr))
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env, cmd.WaitDelay = d.env(t), time.Second
	var said strings.Builder
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v; run \"make needs\", which gets what the drivers need", d.name, err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil || said.Len() > 0 {
			t.Errorf("%s ended with %v: %s", d.name, err, &said)
		}
		cancel()
	})
	return func(line string) (string, error) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return "", err
		}
		if !lines.Scan() {
			return "", io.ErrUnexpectedEOF
		}
		return strings.TrimSpace(lines.Text()), nil
	}
}

// askGomemcache is the driver of gomemcache.
func askGomemcache(client *memcache.Client, words []string) string {
	command, key := words[0], words[1]
	var found []string
	var err error
	switch command {
	case "set":
		if err = client.Set(&memcache.Item{Key: key, Value: []byte(words[2])}); err == nil {
			return "stored"
		}
	case "get":
		var item *memcache.Item
		if item, err = client.Get(key); err == nil {
			found = append(found, key+"="+string(item.Value))
		}
	default:
		var items map[string]*memcache.Item
		items, err = client.GetMulti(words[1:])
		for key, item := range items {
			found = append(found, key+"="+string(item.Value))
		}
	}
	if err != nil && err != memcache.ErrCacheMiss {
		return fmt.Sprintf("error %v", err)
	}
	return strings.Join(found, " ")
}
