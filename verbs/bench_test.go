package verbs_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// BenchmarkRoutineSwitch switches to the coroutine and back, twice: the shortest call
// on it.
func BenchmarkRoutineSwitch(b *testing.B) {
	l := verbtest.NewLoop(b, theVerbs, verbs.Reply{Status: verbs.Failed, Err: "SERVER_ERROR"})
	req := l.Request(b, "scard k")
	b.ReportAllocs()
	for b.Loop() {
		l.Call(req)
	}
}

func BenchmarkNewRoutine(b *testing.B) {
	w := newWorld(b)
	b.ReportAllocs()
	for b.Loop() {
		verbs.NewRoutine(w).Close()
	}
}

var pooled = []struct {
	request string
	replies []verbs.Reply
	allocs  float64
}{
	{"sadd k a b c", []verbs.Reply{{Status: verbs.Stored}}, 0},
	{"srem k a b c", []verbs.Reply{{Status: verbs.Stored}}, 0},
	{"scard k", []verbs.Reply{{Status: verbs.Hit, Data: []byte(verbtest.TenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"sismember k a b", []verbs.Reply{{Status: verbs.Hit, Data: []byte(verbtest.TenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"smembers k", []verbs.Reply{{Status: verbs.Hit, Data: []byte(verbtest.TenBytes(100)), CAS: 1, TTL: -1}}, 0},
	{"logput l 0 0 5\r\nhello", []verbs.Reply{{Status: verbs.Stored}}, 2},
}

func BenchmarkCall(b *testing.B) {
	for _, bench := range pooled {
		name, _, _ := strings.Cut(bench.request, " ")
		b.Run(name, func(b *testing.B) {
			l := verbtest.NewLoop(b, theVerbs, bench.replies...)
			req := l.Request(b, bench.request)
			b.ReportAllocs()
			for b.Loop() {
				l.Call(req)
			}
		})
	}
}

// A call on a routine that has been used before allocates nothing.
func TestAllocations(t *testing.T) {
	for _, test := range pooled {
		l := verbtest.NewLoop(t, theVerbs, test.replies...)
		req := l.Request(t, test.request)
		if answer := string(l.Call(req)); answer == "" || strings.Contains(answer, "ERROR") {
			t.Fatalf("%q: answered %q", test.request, answer)
		}
		if got := testing.AllocsPerRun(200, func() { l.Call(req) }); got > test.allocs {
			t.Errorf("%q: %v allocations, expected %v", test.request, got, test.allocs)
		}
	}
}

// A call that decides on a view, or answers from one, allocates little.
func TestAllocationsWithViews(t *testing.T) {
	for _, test := range []struct {
		log, read, request string
		allocs             float64
	}{
		{strings.Repeat("l>a ", 1000), "llen k", "lpop k", 6},
		{"z=1:a ", "zcard k", "zincrby k 2 a", 3},
		{"+a ", "scard k", "scard k", 0},
		{"+a ", "scard k", "sismember k a b", 0},
	} {
		w := newWorld(t)
		w.Chance = func() uint64 { return math.MaxUint64 }
		w.Kept = views.Eager([]byte("k"))
		w.Put("k", test.log, 0, 0)
		w.Send(test.read) // makes the view
		r := w.Do(t, verbs.Op{Kind: verbs.Probe, Key: []byte("k")})
		routine := w.Client.Routine
		req, _ := verbtest.Parse(t, theVerbs, test.request)
		got := testing.AllocsPerRun(200, func() {
			for ops := routine.Start(theVerbs.Of(req), req); len(ops) > 0; ops = routine.Resume() {
				if ops[0].Kind == verbs.AppendIf {
					r.CAS, r.Size, r.Status = r.CAS+1, r.Size+len(ops[0].Data), verbs.Stored
				}
				routine.Replies[0] = r
			}
			if answer, _ := routine.Answer(); bytes.Contains(answer, []byte("ERROR")) || routine.Account().Trips != 1 {
				t.Fatalf("%s: answered %q after %d trips", test.request, answer, routine.Account().Trips)
			}
		})
		if got > test.allocs {
			t.Errorf("%s: %v allocations, expected %v", test.request, got, test.allocs)
		}
	}
}
