package tls

import (
	"io"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// A client may change its key and ask memverbs for the same. One that does nothing else is
// disconnected, since that takes the time of others.
func TestTLSManyChangesOfKeys(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	s := dialSealer(t, m.Addr, harness.Trusting(a))
	for range 3 {
		s.NetConn().Write(append(s.ChangeKey(), s.request()...))
		if answer, err := io.ReadAll(io.LimitReader(s, 4)); string(answer) != "MN\r\n" {
			t.Fatalf("after a change of keys: %q, %v", answer, err)
		}
	}
	var burst []byte
	for range 1000 {
		burst = append(append(burst, s.ChangeKey()...), s.Seal(securetest.Data, []byte("\r\n"))...)
	}
	go s.NetConn().Write(burst)
	if _, err := io.Copy(io.Discard, s.NetConn()); err != nil && !harness.Closed(err) {
		t.Errorf("the client gets %v, expected the end", err)
	}
	bystander := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	bystander.InStep()
}
