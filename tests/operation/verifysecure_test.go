package operation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// securePool is a pool whose servers speak TLS, and ask for a certificate and a password.
type securePool struct {
	addrs    []string
	settings map[string]string // flags with which it is connected to
}

func startSecurePool(t *testing.T, version string) *securePool {
	t.Helper()
	a := securetest.NewAuthority(t)
	p := a.IssueFor("cache")
	s := &securePool{settings: map[string]string{
		"--server-tls-ca": a.File, "--server-tls-cert": p.Cert, "--server-tls-key": p.Key, "--server-tls-name": "cache",
		"--user": "ann", "--password-file": harness.PrivateFile(t, secret+"\n"),
	}}
	users := harness.PrivateFile(t, "ann:"+secret+"\n")
	for range 2 {
		_, addr := harness.StartSecureMemcached(t, version, p.Cert, p.Key, "-o", "ssl_verify_mode=2,ssl_ca_cert="+a.File, "-Y", users)
		s.addrs = append(s.addrs, addr)
	}
	return s
}

// flags returns those for the pool with changes in its settings. An empty value takes one away.
func (s *securePool) flags(changes map[string]string) []string {
	all := []string{"--upstream", s.addrs[0], "--upstream", s.addrs[1], "--layout", "rendezvous"}
	settings := maps.Clone(s.settings)
	maps.Copy(settings, changes)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if settings[name] != "" {
			all = append(all, name, settings[name])
		}
	}
	return all
}

// file returns a file for --config with the pool.
func (s *securePool) file(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "pools:\n  main:\n    listen: [\"127.0.0.1:0\"]\n    servers: [%q, %q]\n    layout: jump\n", s.addrs[0], s.addrs[1])
	for name, value := range s.settings {
		fmt.Fprintf(&text, "    %s: %q\n", strings.TrimPrefix(name, "--"), value)
	}
	return harness.PrivateFile(t, text.String())
}

// A pool is verified with the settings of TLS and passwords with which memverbs serves it.
func TestVerifySecurePool(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			pool := startSecurePool(t, version)
			right := pool.flags(nil)
			m := harness.StartMemverbs(t, right...)
			harness.Await(t, "both upstreams", func() bool { // memcached may refuse the first handshakes
				return strings.Count(m.Log(), `"upstream is up"`) == 2
			})
			c := harness.Dial(t, m.Addr)
			for i := range 1000 {
				c.Ask(fmt.Sprintf("set user:%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
			}
			verified(t, 0, []string{`\n1 000 of 1 000 keys are where this layout looks for them\.\n`}, right...)
			verified(t, 0, []string{`\n200 of 200 keys are where this layout looks for them\.\n`}, append(right, "--sample", "100")...)
			verified(t, 0, []string{`\n1 000 of 1 000 keys are where rendezvous looks for them\.\n`}, "--config", pool.file(t), "--guess")
		})
	}
}

// Where the settings are wrong, the report says what a server minds.
func TestVerifySecurePoolWithWrongSettings(t *testing.T) {
	t.Parallel()
	s := startSecurePool(t, harness.Newest)
	foreign := securetest.NewAuthority(t)
	strange := foreign.IssueFor("cache")
	for _, wrong := range []struct {
		says    string
		changes map[string]string
	}{
		{"TLS: its certificate is by an unknown authority: add that to the file of server-tls-ca", map[string]string{"--server-tls-ca": foreign.File}},
		{"TLS: .*; set server-tls-name to a name that the certificate has", map[string]string{"--server-tls-name": ""}},
		{"TLS: it refuses the connection: certificate required; set server-tls-cert and server-tls-key to a certificate that it accepts", map[string]string{"--server-tls-cert": "", "--server-tls-key": ""}},
		{"TLS: it refuses the connection: unknown certificate authority; set server-tls-cert and server-tls-key to a certificate that it accepts", map[string]string{"--server-tls-cert": strange.Cert, "--server-tls-key": strange.Key}},
		{"the server refuses the user and the password", map[string]string{"--user": "bob"}},
		{"it asks for a user and a password: set --user and --password-file", map[string]string{"--user": "", "--password-file": ""}},
		{"it closed the connection; if it speaks TLS, set --server-tls-ca; if it is a proxy such as nutcracker, give its servers instead",
			map[string]string{"--server-tls-ca": "", "--server-tls-cert": "", "--server-tls-key": "", "--server-tls-name": ""}},
	} {
		verified(t, 2, []string{` 0 +0  ` + s.addrs[0] + `: ` + wrong.says + `\n`, ` 0 +0  ` + s.addrs[1] + `: ` + wrong.says + `\n`}, s.flags(wrong.changes)...)
	}
}

// A server that does not speak TLS is told from one that is not to be trusted, and settings that do
// not fit together are refused.
func TestVerifyByTLSWithoutTLS(t *testing.T) {
	t.Parallel()
	addrs, upstream := poolOf(t, harness.Newest, 1)
	a := securetest.NewAuthority(t)
	verified(t, 2, []string{` 0 +0  ` + addrs[0] + `: TLS: it does not speak TLS: make it speak TLS, or remove server-tls-ca\n`}, "--upstream", upstream, "--server-tls-ca", a.File)
	verified(t, 75, []string{"memverbs: --server-tls-ca: cannot read the CA certificates /nowhere"}, "--upstream", upstream, "--server-tls-ca", "/nowhere")
	for flag, says := range map[string]string{
		"--server-tls-name": "memverbs: --server-tls-ca: there are no authorities to check the servers' certificates with",
		"--user":            "memverbs: user and password-file go together",
	} {
		verified(t, 2, []string{says}, "--upstream", upstream, flag, "/nowhere")
	}
	verified(t, 2, []string{"memverbs: --server-tls-name: a server is a unix socket"}, "--upstream", "unix:/nowhere", "--server-tls-ca", a.File)
}
