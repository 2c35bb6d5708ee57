package verbs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// loop drives r through a call, again and again, with the same replies.
type loop struct {
	routine *Routine
	replies []Reply
}

// call makes one call and returns the answer.
func (l *loop) call(req *protocol.Request) []byte {
	ops := l.routine.Start(req)
	for i := 0; len(ops) > 0; {
		if ops[0].Local() {
			if ops[0].Do != nil {
				ops[0].Do()
			}
			l.routine.Replies[0] = Reply{Status: Stored}
		} else {
			for n := range ops {
				l.routine.Replies[n] = l.replies[i]
			}
			i++
		}
		ops = l.routine.Resume()
	}
	answer, _ := l.routine.Answer()
	return answer
}

func newLoop(t testing.TB, replies ...Reply) *loop {
	w := newWorld(t)
	w.options.CompactDirtiness = 1 << 30
	w.now += 2 * settling
	w.random = func() uint64 { return math.MaxUint64 } // no call looks at a log by chance
	l := &loop{NewRoutine(w), replies}
	t.Cleanup(l.routine.Close)
	return l
}

// request is one that can be used again and again.
func request(t testing.TB, text string) *protocol.Request {
	req, _ := parse(t, text)
	return req
}

// tenBytes is a log of so many members of ten bytes.
func tenBytes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "+m%09d ", i)
	}
	return b.String()
}

// benchmarkLogs runs f with a set and a log of members of ten bytes: each added
// once; each added twice; half of them removed again.
func benchmarkLogs(b *testing.B, f func(*testing.B, *Set, []byte)) {
	for _, members := range []int{100, 10_000, 1_000_000} {
		live := tenBytes(members)
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

// BenchmarkFold reads a log.
func BenchmarkFold(b *testing.B) {
	benchmarkLogs(b, func(b *testing.B, s *Set, log []byte) {
		for b.Loop() {
			s.Read(nil, log, 0)
		}
	})
}

// BenchmarkAppendMembers does what smembers does with a log that was read.
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
			log := []byte(tenBytes(members))
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
				log := tenBytes(members)
				l := newLoop(b, Reply{Status: Hit, Data: []byte(log), CAS: 1, TTL: -1})
				req := request(b, text)
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				for b.Loop() {
					l.call(req)
				}
			})
		}
	}
}

// BenchmarkRoutineSwitch switches to the verb and back, twice: the shortest
// call there is.
func BenchmarkRoutineSwitch(b *testing.B) {
	l := newLoop(b, Reply{Status: Failed, Err: "SERVER_ERROR"})
	req := request(b, "scard k")
	b.ReportAllocs()
	for b.Loop() {
		l.call(req)
	}
}

func BenchmarkNewRoutine(b *testing.B) {
	w := newWorld(b)
	b.ReportAllocs()
	for b.Loop() {
		NewRoutine(w).Close()
	}
}

var pooled = []struct {
	request string
	replies []Reply
	allocs  float64
}{
	{"sadd k a b c", []Reply{{Status: Stored}}, 0},
	{"srem k a b c", []Reply{{Status: Stored}}, 0},
	{"scard k", []Reply{{Status: Hit, Data: []byte(tenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"sismember k a b", []Reply{{Status: Hit, Data: []byte(tenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"smembers k", []Reply{{Status: Hit, Data: []byte(tenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"logput l 0 0 5\r\nhello", []Reply{{Status: Stored}}, 2},
}

func BenchmarkCall(b *testing.B) {
	for _, bench := range pooled {
		name, _, _ := strings.Cut(bench.request, " ")
		b.Run(name, func(b *testing.B) {
			l := newLoop(b, bench.replies...)
			req := request(b, bench.request)
			b.ReportAllocs()
			for b.Loop() {
				l.call(req)
			}
		})
	}
}

// A call on a routine that has been used before takes no memory of its own.
func TestAllocations(t *testing.T) {
	for _, test := range pooled {
		l := newLoop(t, test.replies...)
		req := request(t, test.request)
		if answer := string(l.call(req)); answer == "" || strings.Contains(answer, "ERROR") {
			t.Fatalf("%q: answered %q", test.request, answer)
		}
		if got := testing.AllocsPerRun(200, func() { l.call(req) }); got > test.allocs {
			t.Errorf("%q: %v allocations, expected %v", test.request, got, test.allocs)
		}
	}
}
