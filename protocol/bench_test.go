package protocol

import (
	"strings"
	"testing"
)

// Typical requests and replies of a busy proxy.
var (
	hotGet        = "get some:key:12345\r\n"
	hotGet100Keys = "get" + strings.Repeat(" some:key:12345", 100) + "\r\n"
	hotSet100B    = "set some:key:12345 0 3600 100\r\n" + strings.Repeat("x", 100) + "\r\n"
	hotSet10kB    = "set some:key:12345 0 3600 10240\r\n" + strings.Repeat("x", 10240) + "\r\n"
	hotMetaGet    = "mg some:key:12345 v k c q O4711\r\n"

	hotValue  = "VALUE some:key:12345 0 100\r\n" + strings.Repeat("x", 100) + "\r\n"
	hotEnd    = "END\r\n"
	hotStored = "STORED\r\n"
	hotMeta   = "HD ksome:key:12345 c123456 O4711\r\n"
)

func benchmarkRequest(b *testing.B, wire string) {
	p := Parser{MaxData: 1 << 20, Verbs: testVerbs}
	buf := []byte(wire)
	var req Request
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if n, status := p.Next(buf, &req); n != len(buf) || status != Ready {
			b.Fatal(n, status)
		}
	}
}

func BenchmarkParseGet(b *testing.B)        { benchmarkRequest(b, hotGet) }
func BenchmarkParseGet100Keys(b *testing.B) { benchmarkRequest(b, hotGet100Keys) }
func BenchmarkParseSet100B(b *testing.B)    { benchmarkRequest(b, hotSet100B) }
func BenchmarkParseSet10kB(b *testing.B)    { benchmarkRequest(b, hotSet10kB) }
func BenchmarkParseMetaGet(b *testing.B)    { benchmarkRequest(b, hotMetaGet) }

func benchmarkReply(b *testing.B, wire string) {
	buf := []byte(wire)
	var r Reply
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if n, _, err := ParseReply(buf, &r); n != len(buf) || err != nil {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkReplyValue100B(b *testing.B) { benchmarkReply(b, hotValue) }
func BenchmarkReplyEnd(b *testing.B)       { benchmarkReply(b, hotEnd) }
func BenchmarkReplyStored(b *testing.B)    { benchmarkReply(b, hotStored) }
func BenchmarkReplyMeta(b *testing.B)      { benchmarkReply(b, hotMeta) }

// Nothing on the way through the proxy allocates: neither parsing, nor forwarding, nor
// skipping refused requests.
func TestNoAllocations(t *testing.T) {
	for _, wire := range []string{
		hotGet, hotGet100Keys, hotSet100B, hotSet10kB, hotMetaGet,
		"gat 60 a b\r\n", "cas a 0 0 1 7 noreply\r\nx\r\n", "incr a 1 noreply\r\n", "delete a\r\n",
		"ms c29tZTprZXk= 1 T60 q b\r\nx\r\n", "push k a b\r\n", "blob l 0 1\r\nx\r\n",
		"set a -1 0 9\r\nflush_all\r\n", "nonsense\r\n",
	} {
		p := Parser{MaxData: 1 << 20, Verbs: testVerbs}
		buf, out := []byte(wire), make([]byte, 0, 2*len(wire))
		var req Request
		if n := testing.AllocsPerRun(100, func() {
			for rest := buf; len(rest) > 0; {
				n, _ := p.Next(rest, &req)
				rest = rest[n:]
			}
			if req.Verb == nil {
				out = req.AppendTo(out[:0])
			}
		}); n != 0 {
			t.Errorf("%.40q: %v allocations", wire, n)
		}
	}
	for _, wire := range []string{hotValue, hotEnd, hotStored, hotMeta, "VA 1 k\r\nx\r\n", "nonsense\r\n"} {
		buf := []byte(wire)
		var r Reply
		if n := testing.AllocsPerRun(100, func() { _, _, _ = ParseReply(buf, &r) }); n != 0 {
			t.Errorf("%.40q: %v allocations", wire, n)
		}
	}
}
