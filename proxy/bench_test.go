package proxy

import (
	"bytes"
	"io"
	"testing"
)

// benchmarkThrough sends b.N times the request, depth of them at once, and
// reads as many replies.
func benchmarkThrough(b *testing.B, request, reply string, depth int) {
	s := startServer(b, 1, cannedUpstream(b, []byte(reply)))
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

var value100 = "VALUE key:12345 0 100\r\n" + string(bytes.Repeat([]byte("v"), 100)) + "\r\nEND\r\n"

func BenchmarkGetThroughProxy(b *testing.B) {
	b.Run("one", func(b *testing.B) { benchmarkThrough(b, "get key:12345\r\n", value100, 1) })
	b.Run("pipelined16", func(b *testing.B) { benchmarkThrough(b, "get key:12345\r\n", value100, 16) })
}

func BenchmarkIncrThroughProxy(b *testing.B) {
	b.Run("pipelined16", func(b *testing.B) { benchmarkThrough(b, "incr key:12345 1\r\n", "1\r\n", 16) })
}
