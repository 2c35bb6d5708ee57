package clients

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// What is typed into openssl s_client is answered as by telnet, with either version of TLS.
func TestTypedByTLS(t *testing.T) {
	t.Parallel()
	c := client{tls: true, login: true}
	s := c.startSecureStore(t)
	authority, _ := strings.CutPrefix(c.secrets[0], "MEMCACHED_CA=")
	const typed, answers = "get k\nset any 0 0 13\nann tr0ub4dor\nset k 0 0 1\nv\nget k\nsadd fruits apple pear\nsmembers fruits\nflush_all\nget k\nquit\n",
		"CLIENT_ERROR unauthenticated\r\nSTORED\r\nSTORED\r\nVALUE k 0 1\r\nv\r\nEND\r\nSTORED\r\nVALUE fruits 0 10\r\napple pear\r\nEND\r\nOK\r\nEND\r\n"
	for _, version := range []string{"-tls1_2", "-tls1_3"} {
		if said, err := sClient(t, s.Addr, authority, version, typed); err != nil || said != answers {
			t.Errorf("%s: %v; it says\n%s", version, err, said)
		}
	}
	if said, err := sClient(t, s.Addr, authority, "-tls1_3", "set any 0 0 9\nann wrong\nget k\nquit\n"); said != "CLIENT_ERROR authentication failure\r\nCLIENT_ERROR unauthenticated\r\n" {
		t.Errorf("with a wrong password: %v; it says\n%s", err, said)
	}
	if said, err := sClient(t, s.Addr, securetest.NewAuthority(t).File, "-tls1_3", typed); err == nil || said != "" {
		t.Errorf("s_client that does not trust the certificate: %v; it says\n%s", err, said)
	}
}

// sClient types into openssl s_client, and returns what comes on its standard output until the
// server ends the connection.
func sClient(t *testing.T, addr, authority, version, typed string) (said string, err error) {
	t.Helper()
	// -quiet leaves out what s_client says itself, and keeps the connection open when there is no more to be typed.
	run := exec.CommandContext(t.Context(), "openssl", "s_client", "-connect", addr, "-CAfile", authority, "-verify_return_error",
		"-servername", "localhost", "-crlf", "-quiet", version)
	run.WaitDelay = harness.Patience
	run.Stdin = strings.NewReader(typed)
	out, err := run.Output()
	return string(out), err
}
