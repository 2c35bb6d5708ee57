package sets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// benchmarkLogs runs f with a set and a log of members of ten bytes: each added
// once; each added twice; half of them removed again.
func benchmarkLogs(b *testing.B, f func(*testing.B, *Set, []byte)) {
	for _, members := range []int{100, 10_000, 1_000_000} {
		live := verbtest.TenBytes(members)
		for _, bench := range []struct{ name, log string }{
			{"added", live},
			{"repeated", live + live},
			{"half-removed", live + strings.ReplaceAll(live[:len(live)/2], "+", "-")},
		} {
			b.Run(fmt.Sprint(members, "/", bench.name), func(b *testing.B) {
				b.SetBytes(int64(len(bench.log)))
				b.ReportAllocs()
				f(b, new(Set), []byte(bench.log))
				b.ReportMetric(float64(len(bench.log)/12)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}

// BenchmarkFold folds a log.
func BenchmarkFold(b *testing.B) {
	benchmarkLogs(b, func(b *testing.B, s *Set, log []byte) {
		for b.Loop() {
			s.Read(nil, log, 0)
		}
	})
}

// BenchmarkAppendMembers lists the members of a folded log, as smembers does.
func BenchmarkAppendMembers(b *testing.B) {
	benchmarkLogs(b, func(b *testing.B, s *Set, log []byte) {
		s.Read(nil, log, 0)
		var dst []byte
		for b.Loop() {
			dst = s.AppendMembers(nil, dst[:0])
		}
	})
}

// BenchmarkHas asks for one member after another.
func BenchmarkHas(b *testing.B) {
	for _, members := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			var s Set
			log := []byte(verbtest.TenBytes(members))
			s.Read(nil, log, 0)
			b.ReportAllocs()
			for i := 0; b.Loop(); i = (i + 12*7919) % len(log) {
				if !s.Has(log[i+1 : i+11]) {
					b.Fatal("lost")
				}
			}
		})
	}
}

// BenchmarkSetCall makes whole calls on sets of all sizes.
func BenchmarkSetCall(b *testing.B) {
	for _, members := range []int{100, 10_000, 1_000_000} {
		for _, text := range []string{"smembers k", "scard k", "sismember k m000000007"} {
			name, _, _ := strings.Cut(text, " ")
			b.Run(fmt.Sprint(members, "/", name), func(b *testing.B) {
				log := verbtest.TenBytes(members)
				l := verbtest.NewLoop(b, theVerbs, verbs.Reply{Status: verbs.Hit, Data: []byte(log), CAS: 1, TTL: -1})
				req := l.Request(b, text)
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				for b.Loop() {
					l.Call(req)
				}
			})
		}
	}
}
