package tests

import (
	"bytes"
	"crypto/tls"
	"io"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/secure/securetest"
	"github.com/memverbs/memverbs/tests/harness"
)

// A client may change its key and ask memverbs for the same. One that does nothing else is
// disconnected, since that takes the time of others.
func TestTLSManyChangesOfKeys(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	var keys bytes.Buffer
	config := trusting(a)
	config.KeyLogWriter = &keys
	conn, err := tls.Dial("tcp", m.Addr, config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	s := securetest.NewSealer(t, conn, keys.String(), 0)
	for range 3 {
		conn.NetConn().Write(append(s.ChangeKey(), s.Seal(securetest.Data, []byte("mn\r\n"))...))
		if answer, err := io.ReadAll(io.LimitReader(conn, 4)); string(answer) != "MN\r\n" {
			t.Fatalf("after a change of keys: %q, %v", answer, err)
		}
	}
	var burst []byte
	for range 1000 {
		burst = append(append(burst, s.ChangeKey()...), s.Seal(securetest.Data, []byte("\r\n"))...)
	}
	go conn.NetConn().Write(burst)
	if _, err := io.Copy(io.Discard, conn.NetConn()); err != nil && !harness.Closed(err) {
		t.Errorf("the client gets %v, expected the end", err)
	}
	bystander := harness.DialTLS(t, m.Addr, trusting(a))
	bystander.InStep()
}
