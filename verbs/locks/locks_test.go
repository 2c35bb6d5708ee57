package locks

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Every answer that there is, and what it takes.
// A relock for a negative time ends the lock, and that of another's token does not.
func TestRelockEnds(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect("lock k a 100", "STORED")
	w.Expect("relock k b -1", "EXISTS")
	w.Holds("k", "x:a ")
	w.Silent = 10_000 // which does not have it looked for afterwards
	w.Expect("relock k a -5", "STORED")
	w.Holds("k", "none")
	w.Expect("relock k a -5", "NOT_FOUND")
}

func TestLocks(t *testing.T) {
	w := newWorld(t)
	for _, step := range []struct {
		request, answer, holds string
		cost                   int
	}{
		{"unlock k a", "NOT_FOUND", "none", mostHolders},
		{"relock k a 5", "NOT_FOUND", "none", mostHolders},
		{"lock k a 5", "STORED", "x:a ", 1},
		{"lock k b 5", "NOT_STORED", "x:a ", 2},
		{"relock k b 5", "EXISTS", "x:a ", mostHolders},
		{"unlock k b", "EXISTS", "x:a ", mostHolders},
		{"lock k a 5", "STORED", "x:a ", 3},
		{"relock k a 5", "STORED", "x:a ", 2},
		{"unlock k a", "DELETED", "none", 2},
		{"lock k aa 5", "STORED", "x:aa ", 1},
		{"unlock k a", "EXISTS", "x:aa ", mostHolders},
	} {
		w.Expect(step.request, step.answer)
		w.Holds("k", step.holds)
		w.Cost(step.cost)
	}
	w.Put("k", "x:aa +m l>n ", 3, 9) // somebody has appended to it by mistake
	w.Expect("relock k aa 5", "STORED")
	w.Holds("k", "x:aa ")
	if flags := w.Find("k").Flags; flags != 3 {
		t.Errorf("flags %d", flags)
	}
}

// A lock is held for as long as was asked for, wherever in a second that begins, and not
// for much longer.
func TestHowLongALockIsHeld(t *testing.T) {
	for _, seconds := range []string{"lock k a 1", "lock k a 1\nrelock k a 1", "lock k a 100\nrelock k a 1", "lock k a 100\nlock k a 1"} {
		for offset := int64(0); offset < 1000; offset += 111 {
			w := newWorld(t)
			w.Clock += offset
			for request := range strings.SplitSeq(seconds, "\n") {
				w.Expect(request, "STORED")
			}
			w.Clock += 1000
			w.Expect("lock k b 1", "NOT_STORED")
			w.Clock += 2000
			w.Expect("lock k b 1", "STORED")
		}
	}
	w := newWorld(t)
	w.Expect("lock k a 2591000", "STORED")
	w.Clock += 2_591_000_000
	w.Expect("unlock k a", "DELETED")
}

// A tick of memcached's clock that comes so late that it is in the next second counts for two.
// That takes no time from a lock.
func TestClockSkipsASecond(t *testing.T) {
	for _, request := range []string{"lock k a 1", "relock k a 1"} {
		w := newWorld(t)
		w.Expect("lock k a 1", "STORED")
		w.Clock, w.Tick = w.Clock+950, 960
		w.Expect(request, "STORED")
		before := w.Seconds()
		w.Clock, w.Tick = w.Clock+60, 0
		if skipped := w.Seconds() - before; skipped != 2 {
			t.Fatalf("the clock went on by %d", skipped)
		}
		w.Clock += 939 // to 999 after the request
		w.Expect("lock k b 1", "NOT_STORED")
		w.Clock += 1000
		w.Expect("lock k b 1", "STORED")
	}
}

func TestWhatIsNoLock(t *testing.T) {
	w := newWorld(t)
	for _, value := range []string{"", "hello", "+a ", "x", "x ", "x:", "x: ", "x:a", "x:a b", "x:a x:b ", "x:a\n", "x:" + strings.Repeat("a", 251) + " ",
		"x:a " + strings.Repeat("+m ", longestItem)} {
		w.Put("k", value, 0, 0)
		for _, request := range []string{"lock k a 5", "unlock k a", "relock k a 5"} {
			w.Expect(request, "CLIENT_ERROR k does not hold a lock")
			w.Holds("k", value)
		}
	}
}

// Without a CAS nobody can tell whether it is still the same lock: what could end another's
// is refused.
func TestServerWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	w.Expect("lock k a 5", "STORED")
	w.Expect("lock k b 5", "NOT_STORED")
	for _, request := range []string{"lock k a 5", "unlock k a", "relock k a 5"} {
		if answer := w.Send(request); !strings.HasPrefix(answer, "SERVER_ERROR k can't be released or held on safely") {
			t.Errorf("%s: answered %q", request, answer)
		}
	}
	w.Expect("unlock k b", "EXISTS")
	w.Holds("k", "x:a ")
}

// Who gets no answer asks again.
func TestAnswerIsLost(t *testing.T) {
	for _, test := range []struct{ before, request, again string }{
		{"", "lock k a 5", "STORED"},
		{"lock k a 5", "relock k a 5", "STORED"},
		{"lock k a 5", "unlock k a", "NOT_FOUND"},
	} {
		w := newWorld(t)
		if test.before != "" {
			w.Send(test.before)
		}
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if r := w.Do(t, op); op.Kind == verbs.Fetch {
				return r, true
			}
			return verbs.Reply{Err: "SERVER_ERROR gone"}, true
		}
		w.Expect(test.request, "SERVER_ERROR gone")
		w.Instead = nil
		w.Expect(test.request, test.again)
	}
}

func TestEveryFailureIsTold(t *testing.T) {
	requests := []string{"lock k a 5", "unlock k a", "relock k a 5"}
	for _, request := range requests {
		for _, before := range []string{"none", "x:a ", "x:b "} {
			verbtest.FailEach(t, theVerbs, request, func(w *verbtest.World) {
				if before != "none" {
					w.Put("k", before, 0, 0)
				}
			})
		}
	}
	verbtest.ReplySenselessly(t, theVerbs, requests)
	verbtest.Interfere(t, theVerbs, requests, func(r *rand.Rand, _ string) string { return []string{"x:a ", "x:b "}[r.IntN(2)] })
}

// An upstream that goes on with a late clock gives the item too short a life, which is corrected
// as soon as the clock has caught up, even if the item is gone by then.
func TestLocksOutlastALateClock(t *testing.T) {
	for _, test := range []struct {
		before, request string
		late            int64 // seconds
	}{
		{"", "lock k a 3", 2}, {"", "lock k a 3", 5}, {"lock k a 9", "lock k a 3", 2}, {"lock k a 9", "relock k a 3", 2},
	} {
		w := newWorld(t)
		if test.before != "" {
			w.Expect(test.before, "STORED")
		}
		w.Silent = 2500
		w.Client.Start(test.request)
		for late := true; w.Client.Busy(); {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
				r := w.Do(t, op)
				if late && r.Status == verbs.Stored {
					late = false
					if item := w.Find("k"); test.late >= 5 {
						w.Evict("k")
					} else {
						item.Expires -= test.late
					}
				}
				return r
			})
		}
		if got := w.Client.Answer; got != "STORED\r\n" {
			t.Errorf("%q: %q", test.request, got)
		}
		w.Silent = 0
		w.Clock += 3000
		w.Expect("lock k b 1", "NOT_STORED")
	}
}

// If such an item has expired and another has taken the lock, it is not said to be held by both.
func TestLateLockIsTakenByAnother(t *testing.T) {
	for before, request := range map[string]string{"": "lock k a 3", "lock k a 9": "relock k a 3"} {
		w := newWorld(t)
		if before != "" {
			w.Expect(before, "STORED")
		}
		w.Silent = 2500
		w.Client.Start(request)
		for late := true; w.Client.Busy(); {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
				r := w.Do(t, op)
				if late && r.Status == verbs.Stored {
					late = false
					w.Put("k", "x:b ", 0, 100)
				}
				return r
			})
		}
		if got := w.Client.Answer; got != "NOT_STORED\r\n" && got != "EXISTS\r\n" {
			t.Errorf("%q: %q, though another holds the lock", request, got)
		}
		w.Holds("k", "x:b ")
	}
}

// Where the upstream keeps no CAS, a lock can be taken after a silence as well.
func TestLocksAfterSilenceWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.Silent = silence
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	w.Expect("lock k a 5", "STORED")
}

// A silence costs one round trip more if the clock is right.
func TestLocksAfterSilence(t *testing.T) {
	w := newWorld(t)
	w.Silent = silence
	for _, request := range []string{"lock k a 5", "relock k a 5", "unlock k a"} {
		w.Send(request)
		w.Cost(map[byte]int{'l': 2, 'r': 3, 'u': 2}[request[0]])
	}
}
