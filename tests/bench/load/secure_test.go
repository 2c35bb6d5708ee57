//go:build linux

package load

import (
	"crypto/tls"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// secureMemcached starts a memcached that speaks TLS.
func secureMemcached(t *testing.T) Target {
	t.Helper()
	authority := securetest.NewAuthority(t)
	pair := authority.Issue()
	_, addr := harness.StartSecureMemcached(t, "1.6.38", pair.Cert, pair.Key)
	return Target{Network: "tcp", Addr: addr, TLS: &tls.Config{RootCAs: authority.Pool, ServerName: "127.0.0.1"}}
}

// Many replies come in one record, and large ones in many. (memcached stalls if it is sent many
// large requests in one record.)
func TestLoadWithTLS(t *testing.T) {
	target := secureMemcached(t)
	for _, test := range []struct {
		size int
		Shape
	}{
		{50, Shape{Conns: 7, Pipeline: 16, Threads: 2}},
		{100_000, Shape{Conns: 7, Pipeline: 1, Threads: 2}},
		{50, Shape{Conns: 20, Pipeline: 1, Threads: 2, Rate: 500}},
	} {
		source := NewPlain(Mix{Keys: 20, ValueSize: test.size, GetKeys: 3, Sets: 0.5})
		if err := source.Preload(target); err != nil {
			t.Fatal(err)
		}
		n, err := run(t, target, test.Shape, source)
		if err != nil || n.Requests == 0 || n.Failed != 0 {
			t.Errorf("%+v: %d requests, %d failed, %v", test, n.Requests, n.Failed, err)
		}
	}
}

func TestServersAreVerified(t *testing.T) {
	target := secureMemcached(t)
	target.TLS = &tls.Config{RootCAs: securetest.NewAuthority(t).Pool, ServerName: "127.0.0.1"}
	var unknown *tls.CertificateVerificationError
	if _, err := Open(target, Shape{Conns: 1, Pipeline: 1, Threads: 1}, misses{}); !errors.As(err, &unknown) {
		t.Errorf("a certificate by another authority: %v", err)
	}
}

// A server that ends a connection with TLS, or without, fails the run.
func TestEndOfConnectionWithTLS(t *testing.T) {
	authority := securetest.NewAuthority(t)
	config := &tls.Config{Certificates: []tls.Certificate{authority.Issue().Certificate}}
	for name, end := range map[string]func(*tls.Conn) error{
		"with goodbye": (*tls.Conn).Close,
		"abrupt":       func(c *tls.Conn) error { return c.NetConn().Close() },
	} {
		l, err := tls.Listen("tcp", "127.0.0.1:0", config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go endAfterRequest(l, end)
		target := Target{Network: "tcp", Addr: l.Addr().String(), TLS: &tls.Config{RootCAs: authority.Pool, ServerName: "127.0.0.1"}}
		g := open(t, target, Shape{Conns: 1, Pipeline: 1, Threads: 1}, misses{})
		if _, err := g.Run(soon(100 * time.Millisecond)); !errors.Is(err, errClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endAfterRequest ends the first connection when something has been asked there.
func endAfterRequest(l net.Listener, end func(*tls.Conn) error) {
	conn, err := l.Accept()
	if err != nil {
		return
	}
	conn.Read(make([]byte, 1000))
	end(conn.(*tls.Conn))
}
