package structures

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// tableSizes are the numbers of rows of the tables that are compared.
var tableSizes = []int{10, 1000, 100_000}

// BenchmarkRows shows what hget costs in tables of 10, 1000 and 100 000 rows, and, since
// memcached itself takes longer to find one of more items, what get costs among as many
// plain items. A table is as fast as the smallest one if its rate of hgets is near 1.
//
// In each round all are measured, one after another, so what else happens on the machine
// concerns all of them. The rates are medians over the rounds.
func BenchmarkRows(b *testing.B) {
	store := harness.StartMemcached(b, "1.6.38", "-m", "512")
	addr := harness.StartPlainMemverbs(b, append([]string{"--upstream", store.Addr}, patient...)...).Addr
	for _, size := range tableSizes {
		for _, read := range rowReads {
			if err := pump(addr, 0, size, "STORED", read.fill(size)); err != nil {
				b.Fatal(err)
			}
		}
	}
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	b.Run("alone", func(b *testing.B) { benchRows(b, conn, in, 200, 1) })
	b.Run("pipelined", func(b *testing.B) { benchRows(b, conn, in, 30, 100) })
}

// rowRead is a way to read the rows of a table, or plain items, all of ten bytes.
type rowRead struct {
	name                   string
	store, request, answer string // formats, for the size of the table and the number of the row
}

var rowReads = []rowRead{
	{"hget", "hset table%d row%06d 0 0 10\r\n0123456789\r\n", "hget table%d row%06d\r\n", "VALUE row%06[2]d 0 10\r\n0123456789\r\nEND\r\n"},
	{"get", "set plain%d:0123456789abcdef=row%06d 0 0 10\r\n0123456789\r\n", "get plain%d:0123456789abcdef=row%06d\r\n",
		"VALUE plain%d:0123456789abcdef=row%06d 0 10\r\n0123456789\r\nEND\r\n"},
}

// fill returns the requests that store the rows of a table, for pump.
func (r rowRead) fill(size int) func([]byte, int) []byte {
	return func(dst []byte, n int) []byte { return fmt.Appendf(dst, r.store, size, n) }
}

// exchange is some requests that are sent together, and their answers.
type exchange struct{ requests, answers []byte }

// random returns exchanges of so many requests for random rows of a table.
func (r rowRead) random(size, exchanges, requests int) []exchange {
	all := make([]exchange, exchanges)
	for i := range all {
		for range requests {
			n := rand.IntN(size)
			all[i].requests = fmt.Appendf(all[i].requests, r.request, size, n)
			all[i].answers = fmt.Appendf(all[i].answers, r.answer, size, n)
		}
	}
	return all
}

// benchRows measures so many exchanges of so many requests of each kind in a round.
func benchRows(b *testing.B, conn net.Conn, in *bufio.Reader, exchanges, requests int) {
	times := map[string][]float64{} // in nanoseconds for one request
	for round := 0; b.Loop(); round++ {
		for i := range tableSizes {
			size := tableSizes[(i+round)%len(tableSizes)]
			for _, read := range rowReads {
				all := read.random(size, exchanges, requests)
				conn.SetDeadline(time.Now().Add(harness.Patience))
				begun := time.Now()
				for _, e := range all {
					if _, err := conn.Write(e.requests); err != nil {
						b.Fatal(err)
					}
					if err := expect(in, e.answers); err != nil {
						b.Fatal(err)
					}
				}
				name := fmt.Sprintf("%s-%d", read.name, size)
				times[name] = append(times[name], float64(time.Since(begun))/float64(exchanges*requests))
			}
		}
	}
	b.ReportMetric(0, "ns/op") // a round of all
	for _, read := range rowReads {
		smallest := times[fmt.Sprintf("%s-%d", read.name, tableSizes[0])]
		for _, size := range tableSizes {
			name := fmt.Sprintf("%s-%d", read.name, size)
			rates := slices.Clone(times[name])
			for i := range rates {
				rates[i] = smallest[i] / rates[i]
			}
			b.ReportMetric(median(times[name]), name+"-ns")
			b.ReportMetric(median(rates), name+"-rate")
		}
	}
}

// median returns the median of values.
func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
