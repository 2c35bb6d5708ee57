package hosts

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// nameServer is a name server on the loopback interface.
type nameServer struct {
	addr  net.Addr
	code  atomic.Uint32 // of its answers
	last  atomic.Uint32 // byte of the address 127.0.0.x
	asked atomic.Uint32 // how often
}

// Codes of answers.
const (
	noError  = 0
	servFail = 2
	nxDomain = 3
)

func startNameServer(t *testing.T) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &nameServer{addr: conn.LocalAddr()}
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			s.asked.Add(1)
			_, _ = conn.WriteTo(s.answer(buf[:n]), from)
		}
	}()
	return s
}

// answer returns the answer to a query with one question: an A record, and none of other types.
func (s *nameServer) answer(query []byte) []byte {
	const header = 12
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	question := query[header : end+5]
	answer := binary.BigEndian.AppendUint16(nil, binary.BigEndian.Uint16(query)) // its number
	answer = binary.BigEndian.AppendUint16(answer, 0x8180|uint16(s.code.Load()))
	record := s.code.Load() == noError && binary.BigEndian.Uint16(query[end+1:]) == 1
	count := byte(0)
	if record {
		count = 1
	}
	answer = append(answer, 0, 1, 0, count, 0, 0, 0, 0)
	answer = append(answer, question...)
	if record {
		answer = append(answer, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, byte(s.last.Load()))
	}
	return answer
}

// lookup asks the server.
func (s *nameServer) lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	resolver := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", s.addr.String())
	}}
	return resolver.LookupNetIP(ctx, "ip", name)
}

// Real answers of a name server, and what becomes of the connections.
func TestNameServer(t *testing.T) {
	t.Parallel()
	dns := startNameServer(t)
	f := &fakeNet{}
	h := New("cache.test.", "11211", dns.lookup)
	h.dialer = f.dial
	dns.code.Store(nxDomain)
	if err := h.Resolve(t.Context()); errorText(err) != "cache.test.: no such host" {
		t.Errorf("NXDOMAIN: %v", err)
	}
	dns.code.Store(servFail)
	if err := h.Resolve(t.Context()); err == nil {
		t.Error("SERVFAIL: there is an address")
	}
	dns.code.Store(noError)
	dns.last.Store(1)
	dial(t, h, f, "127.0.0.1:11211")
	dns.last.Store(2)
	other, err := h.Look(t.Context())
	if err != nil || other == nil || other.Address() != "127.0.0.2:11211" {
		t.Fatalf("another address: %v, %v", other, err)
	}
	for _, code := range []uint32{servFail, nxDomain} {
		dns.code.Store(code)
		dial(t, other, f, "127.0.0.2:11211")
		other.Ended()
	}
	if dns.asked.Load() < 8 {
		t.Errorf("the name server was asked %d times", dns.asked.Load())
	}
}
