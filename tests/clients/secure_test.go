package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// secureClients are the clients that can speak TLS, or show a password, in the ways in which each can.
var secureClients = []client{
	{script: "java-spymemcached.java", interpreter: java, binary: true, login: true},
	{script: "libmemcached-tools.sh", interpreter: "/bin/bash", binary: true, login: true},
	{script: "php-memcached.php", interpreter: "/usr/bin/php", binary: true, login: true},
	{script: "python-pylibmc.py", interpreter: "/usr/bin/python3", binary: true, login: true},
	{script: "python-pymemcache.py", interpreter: "/usr/bin/python3", tls: true, login: true},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", tls: true},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", binary: true, tls: true, login: true},
	{script: "ruby-dalli.rb", interpreter: "/usr/bin/ruby", binary: true, login: true, env: harness.OldDalli, release: "old"},
}

const password = "tr0ub4dor"

// By TLS and with a password, a client passes the same checks as without. With a wrong password it is
// told so, and nothing that it asks for is done.
func TestSecureClients(t *testing.T) {
	t.Parallel()
	for _, c := range secureClients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			s := c.startSecureStore(t)
			c.right(password).start(t, s.Addr).untilOK(neverFrozen)
			for _, m := range s.Memcacheds {
				if stats := m.Stats(); stats["cmd_set"] == "0" || stats["get_hits"] == "0" {
					t.Errorf("memcached on %s had nothing to do", m.Addr)
				}
			}
			if c.login {
				c.refusedBy(t, s)
			}
		})
	}
}

// neverFrozen answers a script that asks to have a memcached frozen: clients see the same refusals
// with TLS and passwords as without.
func neverFrozen(string) string { return "not here" }

// startSecureStore starts memverbs as the client needs it, and has it trust that.
func (c *client) startSecureStore(t *testing.T) *harness.Store {
	t.Helper()
	var flags []string
	if c.tls {
		a := securetest.NewAuthority(t)
		p := a.Issue()
		flags = append(flags, "--tls-cert", p.Cert, "--tls-key", p.Key)
		c.secrets = append(c.secrets, "MEMCACHED_CA="+a.File)
	}
	if c.login {
		users := filepath.Join(t.TempDir(), "users")
		if err := os.WriteFile(users, []byte("ann:"+password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		flags = append(flags, "--auth-file", users)
		c.secrets = append(c.secrets, "MEMCACHED_USERNAME=ann")
	}
	return harness.StartStore(t, "memcached-"+harness.Newest, flags...)
}

// right returns the client with a password.
func (c client) right(password string) client {
	if c.login {
		c.secrets = append(c.secrets[:len(c.secrets):len(c.secrets)], "MEMCACHED_PASSWORD="+password)
	}
	return c
}

// refusedBy runs the script with a wrong password, and sees that the memcacheds did nothing.
func (c client) refusedBy(t *testing.T, s *harness.Store) {
	t.Helper()
	c = c.right("wrong")
	c.refused = true
	var before []string
	for _, m := range s.Memcacheds {
		harness.Dial(t, m.Addr).Ask("set kept 0 0 1\r\nv\r\n", "STORED\r\n")
		before = append(before, asked(m))
	}
	c.start(t, s.Addr).untilOK(neverFrozen)
	for i, m := range s.Memcacheds {
		if after := asked(m); after != before[i] {
			t.Errorf("with a wrong password, memcached on %s was asked for something: %s, before %s", m.Addr, after, before[i])
		}
		harness.Dial(t, m.Addr).Ask("get kept\r\n", "VALUE kept 0 1\r\nv\r\nEND\r\n")
	}
}

// asked tells how often a memcached was asked for something.
func asked(m *harness.Memcached) string {
	stats := m.Stats()
	var counts []string
	for _, name := range []string{"cmd_get", "cmd_set", "cmd_touch", "cmd_flush", "delete_hits", "delete_misses", "total_items"} {
		counts = append(counts, name+" "+stats[name])
	}
	return fmt.Sprint(counts)
}
