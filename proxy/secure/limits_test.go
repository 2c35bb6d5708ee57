package secure

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// A message of TLS itself after the handshake that gets longer and longer counts as memory, and ends
// the session before it takes much.
func TestSessionLongMessage(t *testing.T) {
	t.Parallel()
	p := connect(t, tls.VersionTLS13, "x")
	p.receive(t, 1, 1000)
	before := p.Memory()
	s := securetest.NewSealer(t, p.client, p.keys.String(), 1)
	piece := append([]byte{11, 0x04, 0x00, 0x00}, make([]byte, 8000)...) // of a certificate
	for kept := 0; ; {
		record := s.Seal(securetest.Handshake, piece)
		p.Feed(record)
		_, _, err := p.Open(make([]byte, 10))
		if wrong := (*Error)(nil); errors.As(err, &wrong) && strings.Contains(err.Error(), errIdle.Error()) {
			return
		}
		if kept += len(record); err != nil || kept > mostIdle {
			t.Fatalf("after %d bytes: %v", kept, err)
		}
		if grown := p.Memory() - before; grown < kept-MaxRecord-MaxOverhead {
			t.Fatalf("%d bytes count as %d", kept, grown)
		}
		piece = make([]byte, 8000)
	}
}

// What a client may send in its handshake is limited.
func TestHandshakeTooLong(t *testing.T) {
	t.Parallel()
	s := newServer(t, securetest.NewAuthority(t))
	near, far := net.Pipe()
	defer far.Close()
	go func() {
		hello := append([]byte{1, 0, 0xff, 0xff, 3, 3}, make([]byte, mostShaking)...)
		for len(hello) > 0 {
			n := min(len(hello), 1000)
			far.Write(append(binary.BigEndian.AppendUint16([]byte{FirstByte, 3, 1}, uint16(n)), hello[:n]...))
			hello = hello[n:]
		}
	}()
	_, err := NewHandshakes(slog.New(slog.DiscardHandler)).Take(near, "here").Shake(s)
	if !errors.Is(err, errLong) {
		t.Errorf("the handshake ends with %v", err)
	}
}
