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

// Undoing, in a view, of what has expired since the last second.
func BenchmarkExpire(b *testing.B) {
	const members, perSecond = 600_000, 8000
	var log []byte
	for i := range members {
		log = fmt.Appendf(log, "z~1@%d:member%d ", begun/1000+1+int64(i*7919%members)/perSecond, i)
	}
	var r Ranking
	read := func() {
		r.Expect(nil, members)
		r.Read(nil, log, begun)
	}
	read()
	second := int64(0)
	for b.Loop() {
		if second++; second == members/perSecond {
			b.StopTimer()
			read()
			second = 1
			b.StartTimer()
		}
		if !r.Extend(log, begun+1000*second) {
			b.Fatal("it was not extended")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*perSecond), "ns/increment")
}

// Reading of increments that expire, of members with many each.
func BenchmarkReadExpiring(b *testing.B) {
	const members, each = 2000, 64
	var log []byte
	for i := range members {
		log = append(log, "z~"...)
		for n := range each {
			log = fmt.Appendf(log, "1@%d;", begun/1000+1+int64(n))
		}
		log = fmt.Appendf(log[:len(log)-1], ":member%d ", i)
	}
	var r Ranking
	for b.Loop() {
		r.Expect(nil, members*each)
		r.Read(nil, log, begun)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*members*each), "ns/increment")
}
