package operation

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// The log warns of an address that the whole world may reach if clients need no password there, or
// send it without encryption.
func TestExposureIsLogged(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.Issue()
	const open, legible = "open to everybody who reaches this address", "clients send passwords to this address without encryption"
	password := []string{"--auth-file", harness.PrivateFile(t, "ann:"+secret+"\n")}
	encrypted := []string{"--tls-cert", p.Cert, "--tls-key", p.Key}
	for name, c := range map[string]struct {
		flags []string
		says  string
	}{
		"nothing":         {nil, open},
		"TLS":             {encrypted, open},
		"a password":      {password, legible},
		"TLS, a password": {append(encrypted[:4:4], password...), ""},
		"a certificate":   {append(encrypted[:4:4], "--tls-client-ca", a.File), ""},
	} {
		m := harness.StartMemverbs(t, append([]string{"--listen", "0.0.0.0:0", "--upstream", harness.FreeAddr(t)}, c.flags...)...)
		m.Stop(t)
		for _, text := range []string{open, legible} {
			want := 0
			if text == c.says {
				want = 1 // not for the loopback address
			}
			if got := strings.Count(m.Log(), text); got != want {
				t.Errorf("%s: the log has %d lines with %q, expected %d:\n%s", name, got, text, want, m.Log())
			}
		}
	}
}
