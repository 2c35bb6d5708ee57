package settings

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/tests/securetest"
)

// Settings of TLS that do not fit together are refused in a file, at their place, and as flags.
func TestTLSErrors(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p, other := a.Issue(), a.Issue()
	for _, test := range []struct {
		All      string // pairs of a key and a value
		at, says string
	}{
		{"tls-key " + p.Key, "2:3", "tls-cert: TLS needs a certificate: set tls-cert and tls-key"},
		{"tls-client-ca " + a.File, "2:3", "tls-cert: TLS needs a certificate: set tls-cert and tls-key"},
		{"tls-cert " + p.Cert, "2:3", "tls-key: there is no key for the certificate of tls-cert: set tls-key to the file with it"},
		{"tls-cert /nowhere tls-key " + p.Key, "5:15", "tls-cert: cannot read the certificate /nowhere: no such file or directory"},
		{"server-tls-name x", "2:3", "server-tls-ca: there are no authorities to check the servers' certificates with: set server-tls-ca to a file with certificates of authorities, or to system"},
		{"server-tls-ca system server-tls-cert " + p.Cert, "2:3", "server-tls-key: there is no key for the certificate of server-tls-cert: set server-tls-key to the file with it"},
		{"server-tls-ca system server-tls-key " + p.Key, "2:3", "server-tls-cert: there is no certificate for the key of server-tls-key: set server-tls-cert to the file with it"},
		{"server-tls-ca " + p.Key, "5:20", "server-tls-ca: the CA certificates " + p.Key + " can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----"},
		{"tls-client-ca " + p.Key + " tls-cert " + p.Cert + " tls-key " + p.Key, "5:20", "tls-client-ca: the CA certificates " + p.Key + " can't be used: "},
		{"tls-key " + other.Key + " tls-cert " + p.Cert, "5:14", "tls-key: the key " + other.Key + " is not that of the certificate " + p.Cert},
		{"server-tls-key " + other.Key + " server-tls-cert " + p.Cert + " server-tls-ca system", "5:21", "server-tls-key: the key " + other.Key + " is not that of the certificate " + p.Cert},
		{"tls-min-version 1.1", "5:22", `tls-min-version: "1.1" is none of 1.2, 1.3`},
	} {
		file, flags := settingstest.Smallest, []string{"--upstream", "a"}
		for words := strings.Fields(test.All); len(words) > 0; words = words[2:] {
			file += "    " + words[0] + ": " + words[1] + "\n"
			flags = append(flags, "--"+words[0], words[1])
		}
		if _, _, err := parseSettings(file); err == nil || !strings.HasPrefix(err.Error(), "f:"+test.at+": "+test.says) {
			t.Errorf("%s: the file is refused with\n%v, expected\nf:%s: %s", test.All, err, test.at, test.says)
		}
		o := NewFlags()
		_, err := o.Parse(flags)
		if err == nil {
			_, _, err = o.Settings()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "--"+test.says) {
			t.Errorf("%s: the flags are refused with\n%v, expected\n--%s", test.All, err, test.says)
		}
	}
}

// TLS needs a TCP address, a name for servers without a host, and servers.
func TestTLSElsewhere(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.Issue()
	pair := fmt.Sprintf("tls-cert: %s, tls-key: %s", p.Cert, p.Key)
	for file, says := range map[string]string{
		"pools: {main: {listen: ['unix:/s'], servers: [a], " + pair + "}}\n":                                                           onlyUnix,
		"pools: {main: {listen: [':1'], servers: [a]}}\nlisteners: [{listen: ['unix:/s'], routes: {'': main}, " + pair + "}]\n":        onlyUnix,
		"pools: {main: {listen: [':1'], servers: ['unix:/s'], server-tls-ca: system}}\n":                                               "server-tls-name: a server is a unix socket, which has no host name",
		"pools: {main: {listen: [':1'], servers: [a]}}\nlisteners: [{listen: [':2'], routes: {'': main}, tls-cert: " + p.Cert + "}]\n": "tls-key: there is no key",
	} {
		if _, _, err := parseSettings(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, expected %s", file, err, says)
		}
	}
	o := NewFlags()
	if _, err := o.Parse([]string{"--server-tls-ca", "system"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Settings(); err == nil || err.Error() != "--server-tls-ca: there are no servers: add --upstream" {
		t.Errorf("without servers: %v", err)
	}
}

// A pool that is reached both ways, and what the settings mean. Certificates that have expired, or soon
// will, are warned of.
func TestTLSSettings(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p, old := a.IssueUntil(time.Now().Add(time.Hour)), a.IssueUntil(time.Now().Add(-time.Minute))
	s, warnings, err := parseSettings(fmt.Sprintf(`pools:
  main:
    listen: ["127.0.0.1:1", "unix:/s"]
    tls-cert: %s
    tls-key: %s
    tls-client-ca: %s
    tls-min-version: 1.3
    servers: [a]
    server-tls-ca: %s
    server-tls-cert: %s
    server-tls-key: %s
listeners:
  - listen: ["127.0.0.1:2"]
    routes: {"": main}
`, p.Cert, p.Key, a.File, a.File, old.Cert, old.Key))
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0].String(), "f:4:15: warning: the certificate "+p.Cert+" expires at ") ||
		!strings.HasPrefix(warnings[1].String(), "f:10:22: warning: the certificate "+old.Cert+" expired at ") {
		t.Errorf("the warnings are %q", warnings)
	}
	const summary = `pool main: 1 server by TLS with a certificate of its own, layout libmemcached-ketama-weighted
listen at 127.0.0.1:1 by TLS, with certificates of clients: all keys to main
listen at unix:/s: all keys to main
listen at 127.0.0.1:2: all keys to main
`
	if got := s.Summary(); got != summary {
		t.Errorf("the summary is\n%s", got)
	}
	c, _, err := s.Config(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listeners[0].TLS == nil || !c.Listeners[0].TLS.AsksForCertificates() || c.Listeners[1].TLS != nil || c.Listeners[2].TLS != nil {
		t.Errorf("the listeners are %+v", c.Listeners)
	}
}
