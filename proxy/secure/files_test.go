package secure

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// Files that can't be used are refused, and the error names the file and what to do.
func TestFileErrors(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p, other := a.Issue(), a.Issue()
	file := func(content string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, broken := file("hello"), file("-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n")
	encrypted := file("-----BEGIN ENCRYPTED PRIVATE KEY-----\naGVsbG8=\n-----END ENCRYPTED PRIVATE KEY-----\n")
	for _, test := range []struct {
		o    ServerOptions
		says string
	}{
		{ServerOptions{Cert: "/nowhere", Key: p.Key}, "cannot read the certificate /nowhere: no such file or directory"},
		{ServerOptions{Cert: p.Cert, Key: "/"}, "cannot read the key /: is a directory"},
		{ServerOptions{Cert: p.Cert, Key: p.Key, ClientCA: "/dev/zero"}, "cannot read the CA certificates /dev/zero: it is a device: name a regular file"},
		{ServerOptions{Cert: text, Key: p.Key}, "the certificate " + text + " can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----"},
		{ServerOptions{Cert: p.Key, Key: p.Key}, "the certificate " + p.Key + " can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----"},
		{ServerOptions{Cert: broken, Key: p.Key}, "the certificate " + broken + " can't be used: x509: malformed certificate"},
		{ServerOptions{Cert: p.Cert, Key: other.Key}, "the key " + other.Key + " is not that of the certificate " + p.Cert + ": give the one that it was made with; the server's own certificate must be the first in its file"},
		{ServerOptions{Cert: p.Cert, Key: encrypted}, "the key " + encrypted + " is encrypted, and memverbs can't ask for its passphrase: decrypt it, with openssl pkey, and protect it by its permissions"},
		{ServerOptions{Cert: p.Cert, Key: text}, "the key " + text + " can't be used: failed to find any PEM data in key input; a private key in PEM is expected"},
		{ServerOptions{Cert: p.Cert, Key: p.Key, ClientCA: text}, "the CA certificates " + text + " can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----"},
		{ServerOptions{Cert: p.Cert, Key: p.Key, ClientCA: broken}, "the CA certificates " + broken + " can't be used: x509: malformed certificate"},
	} {
		test.o.MinVersion = tls.VersionTLS12
		if _, err := NewServer(test.o); err == nil || err.Error() != test.says {
			t.Errorf("%+v:\n%v, expected\n%s", test.o, err, test.says)
		}
	}
	if _, err := NewClient(ClientOptions{CA: "/nowhere"}); err == nil || !strings.HasPrefix(err.Error(), "cannot read the CA certificates /nowhere") {
		t.Errorf("a client's file that is missing: %v", err)
	}
}
