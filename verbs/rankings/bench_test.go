package rankings

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// rankingOf returns a log of so many members, whose scores are in no order.
func rankingOf(members int) (log []byte) {
	for i := range members {
		log = fmt.Appendf(log, "z=%d:member%d ", i*7919%1_000_003, i)
	}
	return log
}

func BenchmarkRead(b *testing.B) {
	for _, members := range []int{1_000, 1_000_000} {
		log := rankingOf(members)
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			var r Ranking
			for b.Loop() {
				r.Expect(nil, members)
				r.Read(nil, log, begun)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*members), "ns/token")
		})
	}
}

// Reading increments of members that the log has named before, in another order.
func BenchmarkReadIncrements(b *testing.B) {
	for _, members := range []int{1_000, 100_000, 1_000_000} {
		log := rankingOf(members)
		for i := range members {
			log = fmt.Appendf(log, "z+1:member%d ", i*7919%members)
		}
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			var r Ranking
			for b.Loop() {
				r.Expect(nil, 2*members)
				r.Read(nil, log, begun)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N*members), "ns/token")
		})
	}
}

// The best ten, of a ranking that was just read, and as others change it.
func BenchmarkBest(b *testing.B) {
	for _, members := range []int{1_000, 1_000_000} {
		log := rankingOf(members)
		var r Ranking
		b.Run(fmt.Sprint("read/", members), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r.Expect(nil, members)
				r.Read(nil, log, begun)
				b.StartTimer()
				r.places(nil, 0, 10, true)
			}
		})
		b.Run(fmt.Sprint("changed/", members), func(b *testing.B) {
			n := 0
			changed := log[:len(log):len(log)]
			for b.Loop() {
				changed = fmt.Appendf(changed, "z=%d:member%d ", n*104_729%1_000_003, n*7919%members)
				if r.Extend(changed, begun); len(changed) > 2*len(log) {
					changed = log[:len(log):len(log)]
					r.Read(nil, changed, begun)
				}
				r.places(nil, 0, 10, true)
				n++
			}
		})
		b.Run(fmt.Sprint("rank/", members), func(b *testing.B) {
			i, _ := r.find([]byte("member7"))
			for b.Loop() {
				r.rank(nil, i, true)
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	var r Ranking
	r.Read(nil, rankingOf(1_000_000), begun)
	pauses := 0
	pace := &verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}
	for b.Loop() {
		r.places(pace, 0, r.live, false)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(pauses+1), "µs/slice")
}
