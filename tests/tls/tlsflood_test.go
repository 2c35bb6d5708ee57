package tls

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// sealer is a client of TLS 1.3 that sends records that crypto/tls would not send.
type sealer struct {
	*tls.Conn // for what is received
	*securetest.Sealer
}

// dialSealer makes a handshake. Nothing must be written to the Conn, but what the Sealer returns to its
// NetConn.
func dialSealer(t *testing.T, addr string, config *tls.Config) sealer {
	t.Helper()
	var keys bytes.Buffer
	config.MinVersion, config.KeyLogWriter = tls.VersionTLS13, &keys
	conn, err := tls.Dial("tcp", addr, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.NetConn().Close() })
	conn.SetDeadline(time.Now().Add(harness.Patience))
	return sealer{conn, securetest.NewSealer(t, conn, keys.String(), 0)}
}

// request returns a record with a request that memverbs answers itself.
func (s sealer) request() []byte { return s.Seal(securetest.Data, []byte("mn\r\n")) }

// Clients that flood the proxy with what is no data after the handshake are disconnected, and others
// are served.
func TestTLSFloods(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	bystander := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	sealed := func(kind byte, text string) func(sealer) []byte {
		return func(s sealer) []byte { return s.Seal(kind, []byte(text)) }
	}
	for name, record := range map[string]func(sealer) []byte{
		"key updates":          func(s sealer) []byte { return s.ChangeKey() },
		"alerts":               sealed(securetest.Alert, "\x01\x5a"), // user_canceled, which changes nothing
		"empty records":        sealed(securetest.Data, ""),
		"empty handshakes":     sealed(securetest.Handshake, ""),
		"a new handshake":      sealed(securetest.Handshake, string(clientHello(t)[5:])),
		"an endless handshake": sealed(securetest.Handshake, "\x18\xff\xff\xff"+strings.Repeat("x", 16000)),
	} {
		s := dialSealer(t, m.Addr, harness.Trusting(a))
		if _, err := s.NetConn().Write(s.request()); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(s, make([]byte, len("MN\r\n"))); err != nil {
			t.Fatalf("before %s: %v", name, err)
		}
		go func() {
			for err := error(nil); err == nil; {
				_, err = s.NetConn().Write(record(s))
			}
		}()
		if _, err := io.Copy(io.Discard, s.NetConn()); err != nil && !harness.Closed(err) {
			t.Errorf("%s are followed by %v, expected the end", name, err)
		}
		bystander.InStep()
	}
}

// A client that asks for new keys with each of its requests gets its replies. One that asks for more
// keys, and does not read, is disconnected before that takes much memory.
func TestTLSKeyUpdates(t *testing.T) {
	a := securetest.NewAuthority(t)
	m := harness.StartPlainMemverbs(t, harness.ShowingCertificate(a)...)
	bystander := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	s := dialSealer(t, m.Addr, harness.Trusting(a))
	reply := make([]byte, len("MN\r\n"))
	ask := func(updates int) error {
		var records []byte
		for range updates {
			records = append(records, s.ChangeKey()...)
		}
		_, err := s.NetConn().Write(append(records, s.request()...))
		return err
	}
	for i := range 5000 {
		if err := ask(1); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(s, reply); err != nil || string(reply) != "MN\r\n" {
			t.Fatalf("request %d is answered by %q, %v", i, reply, err)
		}
	}
	s.SetDeadline(time.Now().Add(harness.Patience))
	err := error(nil)
	for err == nil {
		err = ask(10)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("who does not read is not disconnected")
	}
	m.CheckResident(t, "key updates and requests, nothing read")
	bystander.InStep()
}
