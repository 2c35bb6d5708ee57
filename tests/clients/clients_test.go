package clients

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// clients are the scripts with the interpreters that have the client's
// packages: Debian's, whatever else comes first in PATH.
var clients = []client{
	{script: "libmemcached-tools.sh", interpreter: "/bin/bash"},
	{script: "libmemcached-tools.sh", interpreter: "/bin/bash", binary: true},
	{script: "java-spymemcached.java", interpreter: java, slow: true, binary: true},
	{script: "node-memcached.js", interpreter: "node"},
	{script: "node-memjs.js", interpreter: "node", binary: true},
	{script: "perl-cache-memcached-fast.pl", interpreter: "/usr/bin/perl"},
	{script: "php-memcached.php", interpreter: "/usr/bin/php"},
	{script: "php-memcached.php", interpreter: "/usr/bin/php", binary: true},
	{script: "python-django.py", interpreter: "/usr/bin/python3"},
	{script: "python-memcached.py", interpreter: "/usr/bin/python3"},
	{script: "python-pylibmc.py", interpreter: "/usr/bin/python3"},
	{script: "python-pylibmc.py", interpreter: "/usr/bin/python3", binary: true},
	{script: "python-pymemcache.py", interpreter: "/usr/bin/python3"},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby"},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", binary: true},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", binary: true, env: harness.OldDalli, release: "old"},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", env: harness.NewDalli, release: "new"},
	{script: "ruby-rails.rb", interpreter: "/usr/bin/ruby", binary: true},
}

// java runs a file of source code, and does without what only pays off in long runs.
const java = "java -XX:TieredStopAtLevel=1 -cp /usr/share/java/spymemcached.jar"

func TestClients(t *testing.T) {
	t.Parallel()
	for _, c := range clients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			var name string
			var results []string
			note := func(t *testing.T, r *run) {
				name = r.said[0]
				results = append(results, fmt.Sprintf("%s with %s", r.said[len(r.said)-2], path.Base(t.Name())))
			}
			stores := harness.Extremes
			if c.slow {
				stores = []string{"memcached-" + harness.Newest}
			}
			t.Run("memcached-"+harness.Newest, func(t *testing.T) { // so the script is right
				note(t, c.direct(t, harness.StartMemcached(t, harness.Newest)))
			})
			for _, store := range stores {
				t.Run("memverbs-over-"+store, func(t *testing.T) {
					// A frozen memcached is to be noticed soon, a slow one must not be taken for frozen.
					note(t, c.through(t, harness.StartStore(t, store, "--timeout", "2s")))
				})
			}
			t.Logf("%s: ok; %s", name, strings.Join(results, ", "))
		})
	}
}

// direct runs the script without memverbs.
func (c client) direct(t *testing.T, m *harness.Memcached) *run {
	t.Helper()
	r := c.start(t, m.Addr)
	r.untilOK(func(string) string { return "there is but one memcached" })
	return r
}

// through runs the script over memverbs, and sees that every memcached behind
// it had something to do.
func (c client) through(t *testing.T, s *harness.Store) *run {
	t.Helper()
	r := c.start(t, s.Addr)
	if len(s.Memcacheds) == 0 {
		r.untilOK(func(string) string { return "there are no memcacheds" })
		return r
	}
	var asked []string
	r.untilOK(func(ask string) string {
		asked = append(asked, ask)
		if ask == "freeze" {
			s.Memcacheds[0].Freeze(t)
			return "frozen"
		}
		s.Memcacheds[0].Thaw(t)
		awaitUp(t, s.Addr)
		return "thawed"
	})
	if got := strings.Join(asked, " "); got != "freeze thaw" {
		t.Errorf("%s asked for %q, expected %q", c.script, got, "freeze thaw")
	}
	for _, m := range s.Memcacheds {
		if stats := m.Stats(); stats["cmd_set"] == "0" || stats["get_hits"] == "0" {
			t.Errorf("memcached on %s had nothing to do", m.Addr)
		}
	}
	return r
}

// awaitUp waits until memverbs uses all its upstreams.
func awaitUp(t *testing.T, addr string) {
	t.Helper()
	c := harness.Dial(t, addr)
	defer c.Close()
	harness.Await(t, "the upstreams to be used again", func() bool {
		c.Send("stats upstreams\r\n")
		return strings.Count(c.Until("END"), "_state up\r\n") == 2
	})
}
