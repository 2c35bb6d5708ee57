package verbs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// picked returns the members in an answer of spop and srandmember.
func (w *world) picked(request string) []string {
	w.t.Helper()
	answer := lines(w.send(request))
	key := strings.Fields(request)[1]
	if len(answer) != 3 || answer[0] != fmt.Sprintf("VALUE %s 0 %d", key, len(answer[1])) || answer[2] != "END" {
		w.t.Fatalf("%q: answered %q", request, answer)
	}
	return strings.Fields(answer[1])
}

// Every member is popped once, in no order.
func TestPop(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("spop k", "END")
		all := strings.Fields(w.large())
		w.expect("sadd l x", "STORED")
		var popped []string
		for len(popped) < len(all)-10 {
			for count, want := range map[string]int{"": 1, " 1": 1, " 3": 3} {
				got := w.picked("spop k" + count)
				if len(got) != want {
					t.Fatalf("spop k%s: %q", count, got)
				}
				popped = append(popped, got...)
			}
			w.expect("scard k", fmt.Sprint(len(all)-len(popped)))
		}
		if slices.IsSorted(popped) {
			t.Errorf("popped in order: %q", popped)
		}
		popped = append(popped, w.picked("spop k 4000000000000")...)
		slices.Sort(popped)
		slices.Sort(all)
		if !slices.Equal(popped, all) {
			t.Errorf("popped %q of %q", popped, all)
		}
		w.expect("spop k", "VALUE k 0 0", "", "END")
		w.expect("scard k", "0")
		w.expect("spop l", "VALUE l 0 1", "x", "END")
	})
}

func TestPopCost(t *testing.T) {
	w := newWorld(t)
	w.expect("sadd k a b", "STORED")
	w.picked("spop k")
	w.cost(2)
	w.put("x", "no set", 0, 0)
	w.expect("spop x", "CLIENT_ERROR x does not hold a set")
	w.expect("srandmember x", "CLIENT_ERROR x does not hold a set")
	w.expect("scompact x", "CLIENT_ERROR x does not hold a set")
}

// What is popped at once may be more than can be appended.
func TestPopMany(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 2_000
		w.put("k", "", 4, 70)
		w.expect("sadd k "+names(3_000, "", " "), "STORED")
		if got := w.picked("spop k 2000"); len(got) != 2_000 {
			t.Fatalf("%d popped", len(got))
		}
		w.expect("scard k", "1000")
		if i := w.find("k"); i.flags != 4 || i.expires-w.seconds() != 70 {
			t.Errorf("%+v", i)
		}
		w.intact("k")
	})
}

// A full set gives its members all the same.
func TestPopFromFullSet(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.put("k", names(150, "+", " "), 0, 0)
		w.fill("k")
		if got := w.picked("spop k 3"); len(got) != 3 {
			t.Errorf("%q", got)
		}
		w.expect("scard k", "147")
	})
}

func TestPopWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.put("k", "+a ", 0, 0)
	w.instead = func(op Op) (Reply, bool) {
		r := w.do(t, op)
		r.CAS = 0
		return r, true
	}
	w.expect("spop k", "SERVER_ERROR k can't be rewritten: its upstream keeps no CAS, or it is about to expire")
	w.holds("k", "+a ")
}

// Somebody else changes the set each time between the read and the removal.
func TestPopContended(t *testing.T) {
	w := newWorld(t)
	w.large()
	n := 0
	w.instead = func(op Op) (Reply, bool) {
		if op.Kind == AppendIf {
			n++
			w.do(t, Op{Kind: Append, Key: op.Key, Data: fmt.Appendf(nil, "+n%d ", n)})
		}
		return Reply{}, false
	}
	w.expect("spop k", "SERVER_ERROR k is changed by others all the time: given up after many tries; try again")
	if segments := len(w.segmentsOf("k")); w.client.done != segments+2*commitTries {
		t.Errorf("%d operations: segments are read again", w.client.done)
	}
}

// Each member is as likely as any other.
func TestRandMember(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("srandmember k", "END")
		w.expect("sadd k a b c d e", "STORED")
		w.expect("srem k c", "STORED")
		seen := map[string]int{}
		for range 1_000 {
			got := w.picked("srandmember k 2")
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
		if got := w.picked("srandmember k 9"); len(got) != 4 {
			t.Errorf("%q", got)
		}
		if got := w.picked("srandmember k"); len(got) != 1 {
			t.Errorf("%q", got)
		}
		w.expect("scard k", "4")
	})
}

func TestCompactNow(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("scompact k", "NOT_FOUND")
		w.put("k", "+a +b -a +b", 3, 80)
		w.expect("scompact k", "OK")
		w.holds("k", "+b ")
		if i := w.find("k"); i.flags != 3 || i.expires-w.seconds() != 80 {
			t.Errorf("%+v", i)
		}
		w.expect("scompact k", "OK")
		w.cost(1)

		w.put("k", "+first ", 3, 80)
		all := "first " + w.large()
		w.expect("scompact k", "OK")
		w.members("k", all)
		if segments := w.segmentsOf("k"); len(segments) != 1 || len(w.value("k")) > 40 {
			t.Errorf("k holds %q", w.value("k"))
		}
		w.expect("scompact k", "OK")
		w.intact("k")
		w.expect("srem k "+strings.TrimPrefix(all, "first "), "STORED")
		w.expect("scompact k", "OK")
		w.holds("k", "+first ")
		if i := w.find("k"); i.flags != 3 || i.expires-w.seconds() != 80 {
			t.Errorf("%+v", i)
		}
		w.intact("k")
	})
}
