package structures

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// BenchmarkSets shows what adding to a set and reading it cost as it grows.
// Adding is pipelined on one connection and names members that are there, so
// that the set keeps its size. It should cost the same for any size.
func BenchmarkSets(b *testing.B) {
	// Another memcached would do something else for an append, and which of two
	// has a set would depend on its name.
	store := harness.StartMemcached(b, "1.6.38", "-m", "512")
	addr := harness.StartPlainMemverbs(b, append([]string{"--upstream", store.Addr}, patient...)...).Addr
	for _, size := range []int{10, 1000, 100_000, million} {
		add := func(dst []byte, n int) []byte {
			dst = fmt.Appendf(dst, "sadd bench%d ", size)
			return append(memberNumber(dst, n*7919%size), "\r\n"...)
		}
		if err := pump(addr, 0, size, "STORED", add); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("sadd/%d", size), func(b *testing.B) {
			if err := pump(addr, 0, b.N, "STORED", add); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "adds/s")
		})
		b.Run(fmt.Sprintf("smembers/%d", size), func(b *testing.B) { benchRead(b, addr, size) })
	}
}

func benchRead(b *testing.B, addr string, size int) {
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 1<<20)
	for b.Loop() {
		conn.SetDeadline(time.Now().Add(harness.Patience))
		fmt.Fprintf(conn, "smembers bench%d\r\n", size)
		line, err := readLine(in)
		var bytes int64
		if _, err2 := fmt.Sscanf(line[strings.LastIndexByte(line, ' ')+1:], "%d", &bytes); err != nil || err2 != nil {
			b.Fatalf("%q, %v", line, err)
		}
		if bytes != int64(size*13-1) {
			b.Fatalf("%q, but there are %d members", line, size)
		}
		b.SetBytes(bytes)
		if _, err := io.CopyN(io.Discard, in, bytes+int64(len("\r\nEND\r\n"))); err != nil {
			b.Fatal(err)
		}
	}
}
