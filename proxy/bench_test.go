package proxy

import (
	"bytes"
	"io"
	"net"
	"testing"
)

// benchmarkThrough sends the request b.N times, depth of them at once, and reads as
// many replies.
func benchmarkThrough(b *testing.B, request, reply string, depth int) {
	benchmarkUpstream(b, request, reply, reply, depth)
}

// benchmarkUpstream is benchmarkThrough where the upstream is given another reply than the client.
func benchmarkUpstream(b *testing.B, request, canned, reply string, depth int) {
	s := startServer(b, 1, cannedUpstream(b, []byte(canned)))
	conn := dialServer(b, s)
	requests := bytes.Repeat([]byte(request), depth)
	replies := make([]byte, depth*len(reply))
	expected := bytes.Repeat([]byte(reply), depth)
	for b.Loop() {
		if _, err := conn.Write(requests); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(conn, replies); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*depth), "ns/request")
	if !bytes.Equal(replies, expected) {
		b.Fatalf("answered %.60q, expected %.60q", replies, expected)
	}
}

// benchmarkClients makes each of several clients send the request, and then read its
// reply, b.N times. Requests of several clients are flushed to the upstream together.
func benchmarkClients(b *testing.B, request, reply string, clients int) {
	s := startServer(b, 1, cannedUpstream(b, []byte(reply)))
	var conns []net.Conn
	for range clients {
		conns = append(conns, dialServer(b, s))
	}
	sent, got := []byte(request), make([]byte, len(reply))
	b.ReportAllocs()
	for b.Loop() {
		for _, conn := range conns {
			if _, err := conn.Write(sent); err != nil {
				b.Fatal(err)
			}
		}
		for _, conn := range conns {
			if _, err := io.ReadFull(conn, got); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*clients), "ns/request")
	if string(got) != reply {
		b.Fatalf("answered %.60q, expected %.60q", got, reply)
	}
}

var value100 = "VALUE key:12345 0 100\r\n" + string(bytes.Repeat([]byte("v"), 100)) + "\r\nEND\r\n"

func BenchmarkGetThroughProxy(b *testing.B) {
	b.Run("one", func(b *testing.B) { benchmarkThrough(b, "get key:12345\r\n", value100, 1) })
	b.Run("pipelined16", func(b *testing.B) { benchmarkThrough(b, "get key:12345\r\n", value100, 16) })
	b.Run("clients50", func(b *testing.B) { benchmarkClients(b, "get key:12345\r\n", value100, 50) })
}

func BenchmarkIncrThroughProxy(b *testing.B) {
	b.Run("pipelined16", func(b *testing.B) { benchmarkThrough(b, "incr key:12345 1\r\n", "1\r\n", 16) })
}
