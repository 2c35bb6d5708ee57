package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// picked returns the members in an answer of spop or srandmember.
func picked(w *verbtest.World, request string) []string {
	w.T.Helper()
	answer := verbtest.Lines(w.Send(request))
	key := strings.Fields(request)[1]
	if len(answer) != 3 || answer[0] != fmt.Sprintf("VALUE %s 0 %d", key, len(answer[1])) || answer[2] != "END" {
		w.T.Fatalf("%q: answered %q", request, answer)
	}
	return strings.Fields(answer[1])
}

// Every member is popped once, in random order.
func TestPop(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("spop k", "END")
		all := strings.Fields(large(w))
		w.Expect("sadd l x", "STORED")
		var popped []string
		for len(popped) < len(all)-10 {
			for count, want := range map[string]int{"": 1, " 1": 1, " 3": 3} {
				got := picked(w, "spop k"+count)
				if len(got) != want {
					t.Fatalf("spop k%s: %q", count, got)
				}
				popped = append(popped, got...)
			}
			w.Expect("scard k", fmt.Sprint(len(all)-len(popped)))
		}
		if slices.IsSorted(popped) {
			t.Errorf("popped in order: %q", popped)
		}
		popped = append(popped, picked(w, "spop k 4000000000000")...)
		slices.Sort(popped)
		slices.Sort(all)
		if !slices.Equal(popped, all) {
			t.Errorf("popped %q of %q", popped, all)
		}
		w.Expect("spop k", "VALUE k 0 0", "", "END")
		w.Expect("scard k", "0")
		w.Expect("spop l", "VALUE l 0 1", "x", "END")
	})
}

func TestPopCost(t *testing.T) {
	w := newWorld(t)
	w.Expect("sadd k a b", "STORED")
	picked(w, "spop k")
	w.Cost(2)
	w.Put("x", "no set", 0, 0)
	w.Expect("spop x", "CLIENT_ERROR x does not hold a set")
	w.Expect("srandmember x", "CLIENT_ERROR x does not hold a set")
	w.Expect("scompact x", "CLIENT_ERROR x does not hold a set")
}

// One spop may remove more members than fit an append.
func TestPopMany(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 2_000
		w.Put("k", "", 4, 70)
		w.Expect("sadd k "+verbtest.Names(3_000, "", " "), "STORED")
		if got := picked(w, "spop k 2000"); len(got) != 2_000 {
			t.Fatalf("%d popped", len(got))
		}
		w.Expect("scard k", "1000")
		if i := w.Find("k"); i.Flags != 4 || i.Expires-w.Seconds() != 70 {
			t.Errorf("%+v", i)
		}
		intact(w, "k")
	})
}

// Members can be popped from a full set.
func TestPopFromFullSet(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", verbtest.Names(150, "+", " "), 0, 0)
		w.Fill("k")
		if got := picked(w, "spop k 3"); len(got) != 3 {
			t.Errorf("%q", got)
		}
		w.Expect("scard k", "147")
	})
}

func TestPopWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.Put("k", "+a ", 0, 0)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	w.Expect("spop k", "SERVER_ERROR k can't be rewritten: its upstream keeps no CAS, or it is about to expire")
	w.Holds("k", "+a ")
}

// Another client changes the set each time between the read and the removal.
func TestPopContended(t *testing.T) {
	w := newWorld(t)
	large(w)
	n := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if op.Kind == verbs.AppendIf {
			n++
			w.Do(t, verbs.Op{Kind: verbs.Append, Key: op.Key, Data: fmt.Appendf(nil, "+n%d ", n)})
		}
		return verbs.Reply{}, false
	}
	w.Expect("spop k", "SERVER_ERROR k is changed by others all the time: given up after many tries; try again")
	if segments := len(partKeys(w, "k")); w.Client.Done != segments+2*(structure.CommitTries+4) { // four before it asks for precedence
		t.Errorf("%d operations: segments are read again", w.Client.Done)
	}
}

// Each member is as likely as any other.
func TestRandMember(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("srandmember k", "END")
		w.Expect("sadd k a b c d e", "STORED")
		w.Expect("srem k c", "STORED")
		seen := map[string]int{}
		for range 1_000 {
			got := picked(w, "srandmember k 2")
			if len(got) != 2 || got[0] == got[1] {
				t.Fatalf("%q", got)
			}
			seen[got[0]]++
			seen[got[1]]++
		}
		if len(seen) != 4 || seen["c"] > 0 {
			t.Errorf("%v", seen)
		}
		for member, n := range seen {
			if n < 430 || n > 570 { // five standard deviations from 500
				t.Errorf("%s was chosen %d times", member, n)
			}
		}
		if got := picked(w, "srandmember k 9"); len(got) != 4 {
			t.Errorf("%q", got)
		}
		if got := picked(w, "srandmember k"); len(got) != 1 {
			t.Errorf("%q", got)
		}
		w.Expect("scard k", "4")
	})
}

func TestCompactNow(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("scompact k", "NOT_FOUND")
		w.Put("k", "+a +b -a +b", 3, 80)
		w.Expect("scompact k", "OK")
		w.Holds("k", "+b ")
		if i := w.Find("k"); i.Flags != 3 || i.Expires-w.Seconds() != 80 {
			t.Errorf("%+v", i)
		}
		w.Expect("scompact k", "OK")
		w.Cost(1)

		w.Put("k", "+first ", 3, 80)
		all := "first " + large(w)
		w.Expect("scompact k", "OK")
		members(w, "k", all)
		if pointers(w, "k") != 1 || len(w.Value("k")) > 40 {
			t.Errorf("k holds %q", w.Value("k"))
		}
		w.Expect("scompact k", "OK")
		intact(w, "k")
		w.Expect("srem k "+strings.TrimPrefix(all, "first "), "STORED")
		w.Expect("scompact k", "OK")
		w.Holds("k", "+first ")
		if i := w.Find("k"); i.Flags != 3 || i.Expires-w.Seconds() != 80 {
			t.Errorf("%+v", i)
		}
		intact(w, "k")
	})
}

// Work on many members pauses again and again, also where each of its passes fits a slice, since the
// members are all over the memory. Work on a short log, which may be in the reply buffer, never does.
func TestPicksPause(t *testing.T) {
	for _, test := range []struct{ members, picked, atLeast, atMost int }{
		{20_000, 10_000, 0, 0},
		{100_000, 10_000, 5, 50},
		{100_000, 20_000, 10, 100},
	} {
		pauses := 0
		pace := &verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}
		var s Set
		if !s.Read(nil, []byte(verbtest.Names(test.members, "+", " ")), 0) {
			t.Fatal("the log was not read")
		}
		if test.atMost == 0 {
			s.log = s.log[:pace.Freely()]
		}
		paced := s.paceFor(pace)
		if got := s.sample(paced, test.picked, rand.IntN); len(got) != test.picked {
			t.Fatalf("%d members picked", len(got))
		}
		if test.atMost == 0 {
			if paced != nil {
				t.Error("work on a short log pauses")
			}
			continue
		}
		s.eachPicked(paced, s.sample(paced, test.picked, rand.IntN), func([]byte) {})
		if pauses < test.atLeast || pauses > test.atMost {
			t.Errorf("%d of %d members: %d pauses", test.picked, test.members, pauses)
		}
	}
}
