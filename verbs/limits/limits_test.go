package limits

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// pass lets time pass for a world.
func pass(w *verbtest.World, ms int64) { w.Clock += ms }

func TestLimit(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000 // a part begins
	for _, test := range []struct {
		after         int64
		request, want string
		cost          int
	}{
		{0, "limit k 3 16", "1 2 0", 18},
		{500, "limit k 3 16 2", "1 0 0", 18},
		{400, "limit k 3 16", "0 0 16100", 19}, // added, and taken back
		{0, "limit k 3 16", "0 0 16100", 18},   // not added again
		{0, "limit k 3 16 0", "0 0 16100", 18},
		{100, "limit k 3 16", "0 0 16000", 18},
		{15999, "limit k 3 16", "0 0 1", 18},
		{1, "limit k 3 16 0", "1 3 0", 18},
		{0, "limit k 3 16 2", "1 1 0", 18},
		{1000, "limit k 3 16 2", "0 1 16000", 19}, // when one is free, not both
		{0, "limit k 3 16 1", "1 0 0", 36},
		{0, "limit k 4 16 1", "1 0 0", 36}, // the same counters
		{0, "limit k 3 8 1", "1 2 0", 18},  // others
		{0, "limit k 3 16", "0 0 16000", 18},
		{16000, "limit k 3 16 2", "0 1 1000", 19},
		{1000, "limit k 3 16 2", "1 1 0", 18},
		{100_000, "limit k 9007199254740992 31622400 9007199254740992", "1 0 0", 18},
	} {
		pass(w, test.after)
		w.Expect(test.request, test.want)
		w.Cost(test.cost)
	}
}

// Counters live as long as they count, and no longer than that takes.
func TestCountersExpire(t *testing.T) {
	for _, seconds := range []int64{1, 3, 60, 2_591_000, maxSeconds} {
		w := newWorld(t)
		w.Tick = 999
		w.Expect(fmt.Sprintf("limit k 1 %d", seconds), "1 0 0")
		pass(w, 1000*seconds)
		if left := w.Keys(); len(left) != 1 {
			t.Errorf("after %d seconds: %q", seconds, left)
		}
		pass(w, 1000*(seconds/8+4))
		if left := w.Keys(); len(left) != 0 {
			t.Errorf("long after %d seconds: %q", seconds, left)
		}
	}
}

// What an upstream was late with its clock when it made a counter is made up for.
func TestCountersOutlastALateClock(t *testing.T) {
	w := newWorld(t)
	w.Silent = 5200
	w.Tick = 5000
	w.Expect("limit k 1 2", "1 0 0")
	w.Tick = 0
	pass(w, 2000)
	w.Expect("limit k 1 2", "0 0 125")
}

// Keys are as long as they may be.
func TestLongestKeys(t *testing.T) {
	w := newWorld(t)
	w.Clock = 2_100_000_000_000
	key := strings.Repeat("k", maxKey)
	w.Expect("limit "+key+" 5 1", "1 4 0")
	w.Expect("limit "+key+" 5 31622400", "1 4 0")
	for _, key := range w.Keys() {
		if !IsCounter([]byte(key)[maxKey+1:]) {
			t.Errorf("%q is not taken for a counter", key)
		}
	}
}

func TestIsCounter(t *testing.T) {
	for name, want := range map[string]bool{
		"limit:60:8wvu2z": true, "limit:1:0": true, "limit:31622400:1": true, "limit:31622401:1": false, "limit:0:1": false,
		"limit:60:": false, "limit:60": false, "limit:60:-5": false, "limit:60:a:b": false, "60:a": false, "": false, "limit::": false,
	} {
		if IsCounter([]byte(name)) != want {
			t.Errorf("%q: not %v", name, want)
		}
	}
}

// What is no number is not counted, and not changed.
func TestForeignCounter(t *testing.T) {
	w := newWorld(t)
	w.Expect("limit k 5 60", "1 4 0")
	key := w.Keys()[0]
	w.Put(key, "many", 0, 0)
	if got := w.Send("limit k 5 60"); got != "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n" {
		t.Errorf("%q", got)
	}
	if got := w.Send("limit k 5 60 0"); got != "CLIENT_ERROR one of the counters of k, k:limit:60:…, holds no number\r\n" {
		t.Errorf("%q", got)
	}
	w.Put(key, "18446744073709551615", 0, 0)
	w.Expect("limit k 5 60 0", "0 0 62500")
}

func TestEveryFailureIsTold(t *testing.T) {
	requests := []string{"limit k 2 60", "limit k 2 60 2", "limit k 2 60 0"}
	for _, request := range requests {
		for _, before := range []int{0, 1, 2} {
			verbtest.FailEach(t, theVerbs, request, func(w *verbtest.World) {
				for range before {
					w.Send("limit k 2 60")
				}
			})
		}
	}
	verbtest.ReplySenselessly(t, theVerbs, requests)
	verbtest.Interfere(t, theVerbs, requests, func(r *rand.Rand, _ string) string { return fmt.Sprint(r.IntN(4)) })
}

// What was added stays counted if it is unknown whether it was, or whether it was taken back.
func TestUnknownOutcomes(t *testing.T) {
	w := newWorld(t)
	lose := func(kind verbs.OpKind, done bool) {
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind != kind {
				return verbs.Reply{}, false
			}
			if done {
				w.Do(t, op)
			}
			return verbs.Reply{Err: "SERVER_ERROR lost"}, true
		}
	}
	lose(verbs.IncrOrCreate, true)
	w.Expect("limit k 3 60 2", "SERVER_ERROR lost")
	w.Instead = nil
	w.Expect("limit k 3 60 0", "1 1 0")
	lose(verbs.Decr, false)
	w.Send("limit k 3 60 2")
	w.Instead = nil
	w.Expect("limit k 3 60", "0 0 62500")
}

// What was counted before is seen, if the addition comes so late that further parts have begun, and if a proxy whose clock is
// ahead has counted it in the next part.
func TestWhatOthersHaveCountedIsSeen(t *testing.T) {
	for _, late := range []int64{0, 999, 1000, 1999, 2000, 5000, 16_000} {
		for _, ahead := range []int64{0, 1000} {
			w := newWorld(t)
			w.Clock = 1_700_000_000_000 // a part begins
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if op.Kind == verbs.IncrOrCreate {
					pass(w, late)
					part := window(16).part(w.Clock + ahead)
					w.Put("k:limit:16:"+string(appendPart(nil, part)), "3", 0, 0)
					if late+ahead < 1000 { // the same counter
						return verbs.Reply{Status: verbs.Stored, Number: 4}, true
					}
				}
				return verbs.Reply{}, false
			}
			if got := w.Send("limit k 3 16"); got[0] != '0' {
				t.Errorf("%d ms late, the other's clock %d ms ahead: %q", late, ahead, got)
			}
		}
	}
}

// Of two calls that are decided on together only one is allowed, if one was free when they looked, and more are when
// they count.
func TestNoMoreIsAllowedThanIsCounted(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000
	w.Expect("limit k 2 16", "1 1 0")
	pass(w, 1000)
	w.Expect("limit k 2 16", "1 0 0")
	w.Expect("limit k 2 16 1", "0 0 16000")
	pass(w, 1000)
	counters := w.Keys()
	w.Evict(counters[0]) // one is free before it was to be
	var callers []*verbtest.Caller
	for _, request := range []string{"limit k 2 16 0", "limit k 2 16", "limit k 2 16"} {
		c := verbtest.NewCaller(t, w, theVerbs)
		c.Start(request)
		callers = append(callers, c)
	}
	allowed := 0
	for i, c := range callers {
		for c.Busy() {
			c.CarryOut(0, func(op verbs.Op) verbs.Reply {
				if op.Kind == verbs.IncrOrCreate {
					w.Evict(counters[1])
				}
				return w.Do(t, op)
			})
		}
		if i > 0 && c.Answer[0] == '1' {
			allowed++
		}
	}
	if counted := w.Value(w.Keys()[0]); allowed != 1 || counted != "1" {
		t.Errorf("%d are allowed, and %s is counted", allowed, counted)
	}
}

// Whoever may use plain commands can store anything under the keys of counters. Every call answers in the form of its
// answer or says what is wrong, allows nothing beside a counter that is full, and makes no item long.
func TestHostileCounters(t *testing.T) {
	values := []string{"", " ", "0", "007", "-1", "+1", "1.5", "1 2", "3 ", "many", "4", "5", "18446744073709551615", "18446744073709551616", strings.Repeat("9", 70), strings.Repeat("x", 5000), "x:a ", "@", "\r\n"}
	refused, answered := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 43))
		w := newWorld(t)
		w.Old = r.IntN(2) == 0
		part := window(60).part(w.Clock)
		full := false
		for i := range int64(parts + 3) {
			if r.IntN(8) > 0 {
				continue
			}
			value := values[r.IntN(len(values))]
			if seed%2 == 0 {
				value = []string{"0", "1", "007", "3 ", "5", "18446744073709551615"}[r.IntN(6)]
			}
			w.Put(string(appendPart(window(60).appendName(nil, []byte("k")), part-parts+i)), value, uint32(r.IntN(3)), 0)
			full = full || i < parts && value == "18446744073709551615" // that of the present part begins anew at zero
		}
		for range 4 {
			line := []string{"limit k 5 60", "limit k 5 60 0", "limit k 5 60 5"}[r.IntN(3)]
			answer := w.Send(line)
			switch {
			case strings.HasPrefix(answer, "CLIENT_ERROR "), strings.HasPrefix(answer, "SERVER_ERROR "):
				refused++
			case len(strings.Fields(answer)) == 3 && strings.HasSuffix(answer, "\r\n"):
				if answered++; full && strings.HasPrefix(answer, "1") {
					t.Fatalf("seed %d: %q is answered with %q beside a counter that is full", seed, line, answer)
				}
			default:
				t.Fatalf("seed %d: %q is answered with %q", seed, line, answer)
			}
		}
		for _, key := range w.Keys() {
			if n := len(w.Value(key)); n > 5000 {
				t.Fatalf("seed %d: %s has become %d bytes", seed, key, n)
			}
		}
	}
	if refused < 1000 || answered < 1000 {
		t.Errorf("%d refused, %d answered", refused, answered)
	}
}
