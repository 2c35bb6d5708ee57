package structures

import (
	"bufio"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// BenchmarkRankings shows what the best ten of a ranking of a thousand members and of one of a
// million cost, whose views the proxy has: alone, and where a score is set before each.
// "ratio" is how many times as long it takes with a million.
//
// In each round both are measured, one after the other, so what else happens on the machine
// concerns both. The times are medians over the rounds.
func BenchmarkRankings(b *testing.B) {
	store := harness.StartMemcached(b, "1.6.38", "-m", "512")
	addr := harness.StartPlainMemverbs(b, append([]string{"--upstream", store.Addr}, patient...)...).Addr
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	var best [2]exchange
	for i, size := range rankingSizes {
		if err := pump(addr, 0, size, "STORED", func(dst []byte, n int) []byte { return fillRanking(dst, size, n) }); err != nil {
			b.Fatal(err)
		}
		best[i] = bestTen(size)
		for range 3 { // until there is a view
			ask(b, conn, in, best[i])
		}
	}
	b.Run("unchanged", func(b *testing.B) { benchBest(b, conn, in, best, func(int) exchange { return exchange{} }) })
	b.Run("changed", func(b *testing.B) { benchBest(b, conn, in, best, setSomebody) })
}

// rankingSizes are the numbers of members of the rankings that are compared.
var rankingSizes = [2]int{1000, million}

// fillRanking appends the request that sets the score of member n.
func fillRanking(dst []byte, size, n int) []byte {
	dst = fmt.Appendf(dst, "zadd best%d %d ", size, n)
	return append(memberNumber(dst, n*7919%size), "\r\n"...)
}

// bestTen returns the request for the best ten, and the answer.
func bestTen(size int) exchange {
	var list []byte
	for n := size - 1; n >= size-10; n-- {
		list = append(memberNumber(list, n*7919%size), ' ')
	}
	list = list[:len(list)-1]
	return exchange{
		fmt.Appendf(nil, "zrevrange best%d 0 10\r\n", size),
		fmt.Appendf(nil, "VALUE best%d 0 %d\r\n%s\r\nEND\r\n", size, len(list), list),
	}
}

// setSomebody returns a request that sets a score to what it is.
func setSomebody(size int) exchange {
	return exchange{fillRanking(nil, size, 0), []byte("STORED\r\n")}
}

func ask(b *testing.B, conn net.Conn, in *bufio.Reader, e exchange) {
	b.Helper()
	conn.SetDeadline(time.Now().Add(3 * harness.Patience))
	if _, err := conn.Write(e.requests); err != nil {
		b.Fatal(err)
	}
	if err := expect(in, e.answers); err != nil {
		b.Fatal(err)
	}
}

// benchBest measures so many exchanges with each ranking in a round, each after what before
// returns.
func benchBest(b *testing.B, conn net.Conn, in *bufio.Reader, best [2]exchange, before func(size int) exchange) {
	const exchanges = 200
	var times [2][]float64 // in nanoseconds
	var ratios []float64
	for b.Loop() {
		for i, size := range rankingSizes {
			var took time.Duration
			for range exchanges {
				ask(b, conn, in, before(size))
				begun := time.Now()
				ask(b, conn, in, best[i])
				took += time.Since(begun)
			}
			times[i] = append(times[i], float64(took)/exchanges)
		}
		ratios = append(ratios, times[1][len(ratios)]/times[0][len(ratios)])
	}
	b.ReportMetric(0, "ns/op") // a round of both
	for i, size := range rankingSizes {
		b.ReportMetric(median(times[i]), fmt.Sprintf("zrevrange-%d-ns", size))
	}
	b.ReportMetric(median(ratios), "ratio")
}
