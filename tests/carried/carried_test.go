package carried

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// sessions are the scripts with the interpreters that have the clients'
// packages: Debian's, whatever else comes first in PATH.
var sessions = map[string]string{
	"node/session.js":              "node",
	"node/memjs_session.js":        "node",
	"php/session.php":              "/usr/bin/php",
	"python/pylibmc_session.py":    "/usr/bin/python3",
	"python/django_session.py":     "/usr/bin/python3",
	"python/pymemcache_session.py": "/usr/bin/python3",
	"ruby/rails_session.rb":        "/usr/bin/ruby",
	"ruby/session.rb":              "ruby",
}

func TestSessions(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		for script, interpreter := range sessions {
			t.Run(script, func(t *testing.T) {
				t.Parallel()
				runSession(t, interpreter, script, s.Addr)
			})
		}
	}, "--verb-keys", "verb/")
}

// The clients that also speak the binary protocol go through the same sessions in it.
func TestSessionsInPackets(t *testing.T) {
	t.Parallel()
	s := harness.StartStore(t, "memcached-"+harness.Newest, "--verb-keys", "verb/")
	for _, script := range []string{"php/session.php", "python/pylibmc_session.py", "ruby/session.rb"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			runSession(t, sessions[script], script, s.Addr, "binary")
		})
	}
}

func runSession(t *testing.T, interpreter, script, addr string, more ...string) {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	ctx, cancel := context.WithTimeout(t.Context(), harness.Patience)
	defer cancel()
	run := exec.CommandContext(ctx, interpreter, append([]string{script, host, port}, more...)...)
	run.Env = harness.ClientEnv(t)
	said, err := run.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(said), "\nok\n") {
		t.Fatalf("%s: %v; \"make needs\" gets what it needs\n%s", script, err, said)
	}
	t.Logf("\n%s", said)
}
