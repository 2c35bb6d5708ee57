package harness

import (
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// ShowingCertificate returns the flags of a memverbs that shows its clients a certificate of an authority.
func ShowingCertificate(a *securetest.Authority) []string {
	p := a.Issue()
	return []string{"--tls-cert", p.Cert, "--tls-key", p.Key}
}

// Trusting is the configuration of a client that trusts an authority.
func Trusting(a *securetest.Authority) *tls.Config {
	return &tls.Config{RootCAs: a.Pool, ServerName: "localhost"}
}

// PrivateFile writes a file that only its owner can read, and returns its path.
func PrivateFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// ShowingPassword is the request by which a client of the text protocol authenticates.
func ShowingPassword(user, password string) string {
	return fmt.Sprintf("set any 0 0 %d\r\n%s %s\r\n", len(user)+1+len(password), user, password)
}
