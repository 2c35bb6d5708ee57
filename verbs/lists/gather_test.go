package lists

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// After a change of several calls, calls gather until the end of the loop's turn, and one append carries out all of them. After one
// that was alone nevertheless, the next one does not wait.
func TestPopsGather(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Expect("rpush k a b c d e f g"+verbtest.Names(33, " ", ""), "STORED")
	w.Expect("llen k", "40")
	appends := 0
	var pops []*verbtest.Caller
	pop := func(waits bool) {
		t.Helper()
		c := verbtest.NewCaller(t, w, theVerbs)
		if c.Start("lpop k"); c.Waits() != waits {
			t.Fatalf("pop %d waits: %v", len(pops), !waits)
		}
		pops = append(pops, c)
	}
	carryOut := func(expected int) {
		t.Helper()
		for again := true; again; {
			again = false
			for _, c := range pops {
				for c.Busy() && !c.Waits() {
					again = true
					c.CarryOut(0, func(op verbs.Op) verbs.Reply {
						if op.Kind == verbs.AppendIf {
							appends++
						}
						return w.Do(t, op)
					})
				}
			}
		}
		if appends != expected {
			t.Errorf("%d appends after %d pops, expected %d", appends, len(pops), expected)
		}
	}
	pop(false)
	pop(true) // for the first
	pop(true)
	carryOut(2)

	pop(true) // for the end of the turn
	carryOut(2)
	pop(true)
	w.Decisions().EndTurn(w)
	carryOut(3)

	pop(true)
	w.Decisions().EndTurn(w) // and nobody else has come
	carryOut(4)
	pop(false)
	carryOut(5)
	for i, c := range pops {
		if want := "VALUE k 0 1\r\n" + string("abcdefg"[i]); !strings.HasPrefix(c.Answer, want) {
			t.Errorf("pop %d answers %q, expected %q", i, c.Answer, want)
		}
	}
}

// Nobody waits for calls that have gathered and are gone.
func TestGatheringOfCallsThatAreGone(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Expect("rpush k a b c", "STORED")
	w.Expect("llen k", "3")
	w.Expect("lpop k", "VALUE k 0 1", "a", "END")
	w.Kept.Find([]byte("k")).Joined = true
	gone := verbtest.NewCaller(t, w, theVerbs)
	if gone.Start("lpop k"); !gone.Waits() {
		t.Fatal("a pop does not gather")
	}
	gone.Routine.Close()
	w.Decisions().EndTurn(w)
	next := verbtest.NewCaller(t, w, theVerbs)
	if next.Start("lpop k"); next.Waits() {
		t.Fatal("the next pop waits for it")
	}
	next.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
	if next.Answer != "VALUE k 0 1\r\nb\r\nEND\r\n" {
		t.Errorf("the next pop answers %q", next.Answer)
	}
}

// Appends gather too: those of several calls are followed by those of several.
func TestAppendsGather(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	push := pushOf(w)
	w.Expect("rpush k a b", "STORED")
	w.Expect("llen k", "2")
	w.Expect("lpop k", "VALUE k 0 1", "a", "END")
	for _, joined := range []bool{false, true} {
		op := push
		led := structure.LeadAppend(w, &op, joined)
		if structure.Gathers(w, op.Key, op.Key) {
			t.Fatal("an append gathers while another one leads")
		}
		led.Took(w, &op, w.Do(t, op))
		if gathers := structure.Gathers(w, op.Key, op.Key); gathers != joined {
			t.Errorf("an append gathers: %v, after one of several calls: %v", gathers, joined)
		}
		w.Decisions().EndTurn(w)
		if structure.Gathers(w, op.Key, op.Key) {
			t.Error("an append gathers twice")
		}
	}
}
