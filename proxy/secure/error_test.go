package secure

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"testing"
)

// What a peer has sent, and an error quotes, is shown in one short line.
func TestClean(t *testing.T) {
	t.Parallel()
	for text, shown := range map[string]string{
		"tls: failed to verify certificate: x509: bad": "x509: bad",
		"a\r\nSTORED\r\n\x00\xff":                      "a??STORED????",
	} {
		if got := clean(errors.New(text)); got != shown {
			t.Errorf("%q is shown as %q, expected %q", text, got, shown)
		}
	}
	if got := clean(errors.New(strings.Repeat("é", 1000))); len(got) > longest+len("…") {
		t.Errorf("an error is shown in %d bytes", len(got))
	}
}

// A client with OpenSSL that does not trust the certificate says so without encryption, and one may
// speak old versions only: what the log says of them tells what to look for.
func TestReasonsOfClients(t *testing.T) {
	t.Parallel()
	for says, err := range map[string]error{
		"it broke off the handshake; does it trust the certificate? (bad record MAC)": &net.OpError{Op: "local error", Err: errors.New("tls: bad record MAC")},
		"it breaks the protocol: unexpected message":                                  &net.OpError{Op: "local error", Err: errors.New("tls: unexpected message")},
		"it speaks only versions of TLS that are older than tls-min-version":          tls.Server(offering(t, tls.VersionTLS11), &tls.Config{MinVersion: tls.VersionTLS12}).Handshake(),
	} {
		if got := reasonOfClient(err); got != says {
			t.Errorf("of %v it says %q, expected %q", err, got, says)
		}
	}
}

// offering returns a connection from a client that speaks no later version of TLS.
func offering(t *testing.T, latest uint16) net.Conn {
	near, far := net.Pipe()
	t.Cleanup(func() { _ = near.Close() })
	go func() {
		_ = tls.Client(far, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: latest}).Handshake()
		_ = far.Close()
	}()
	return near
}
