package sets

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestReadsCompact(t *testing.T) {
	for _, read := range []struct{ request, answer string }{
		{"scard k", "1"},
		{"sismember k a x", "1 0"},
		{"smembers k", "VALUE k 0 1\r\na\r\nEND"},
	} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			w.Settings.CompactDirtiness = 3
			w.Put("k", "+a +b -b +a ", 5, 100) // three dead tokens
			w.Expect(read.request, read.answer)
			w.Cost(1)
			w.Holds("k", "+a +b -b +a ")
			w.Expect("srem k x", "STORED")

			w.Clock += 40_000
			w.Expect(read.request, read.answer)
			w.Cost(1 + 3 + 4 + 1) // two looks at memcached's clock, as there was none
			if w.Client.Answered != 1 {
				t.Errorf("answered after %d operations", w.Client.Answered)
			}
			w.Holds("k", "+a ")
			if i := w.Find("k"); i.Flags != 5 || i.Expires-w.Seconds() != 60 {
				t.Errorf("flags %d, %d s left", i.Flags, i.Expires-w.Seconds())
			}
			if account := w.Client.Routine.Account(); account.Tried != 1 || account.Won != 1 || account.Trips != 4 {
				t.Errorf("%+v", account)
			}
			w.Expect(read.request, read.answer)
			w.Cost(1)
		})
	}
}

func TestCompactionKeepsTimeToLive(t *testing.T) {
	const month = 30 * 24 * 60 * 60
	for _, seconds := range []int64{1, 2, month - 1, month, month + 1, 10 * month, 100 * month} {
		w := newWorld(t)
		w.Settings.CompactDirtiness = 0
		w.Tick = 700
		w.Put("k", "+a +b -b ", 0, w.Seconds()+seconds)
		w.Find("k").Expires = w.Seconds() + seconds
		w.Expect("scard k", "1")
		w.Holds("k", "+a ")
		// A point in time is computed by the proxy's clock, which may be a second
		// ahead.
		if left := w.Find("k").Expires - w.Seconds(); left != seconds && (seconds <= month || left != seconds+1) {
			t.Errorf("%d s left of %d", left, seconds)
		}
	}
	w := newWorld(t)
	w.Settings.CompactDirtiness = 0
	w.Put("k", "+a +b -b ", 0, 0)
	w.Expect("scard k", "1")
	if i := w.Find("k"); i.Expires != verbtest.Never || len(i.Value) != 3 {
		t.Errorf("%+v", i)
	}
}

// memcached never reports 0 seconds left, but compatible servers may. A swap could not
// give the item 0 seconds again.
func TestNoCompactionWithoutTimeToLive(t *testing.T) {
	w := newWorld(t)
	w.Settings.CompactDirtiness = 0
	w.Put("k", "+a +b -b ", 0, 50)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.TTL = 0
		return r, true
	}
	w.Expect("scard k", "1")
	w.Cost(1)
	w.Expect("smembers k", "VALUE k 0 1", "a", "END")
	w.Cost(1)
}

func TestSmembersCompactsEverySet(t *testing.T) {
	w := newWorld(t)
	w.Settings.CompactDirtiness = 1
	w.Put("k", "+a -a +a ", 0, 0)
	w.Put("l", "+a ", 0, 0)
	w.Put("m", "-c -d -e", 1, 0)
	w.Expect("smembers k l m k n", "VALUE k 0 1", "a", "VALUE l 0 1", "a", "VALUE m 0 0", "", "VALUE k 0 1", "a", "END")
	w.Holds("k", "+a ")
	w.Holds("m", "")
	if account := w.Client.Routine.Account(); account.Tried != 3 || account.Won != 2 || account.Trips != 2 {
		t.Errorf("%+v", account)
	}
	if w.Client.Answered != 5 {
		t.Errorf("answered after %d operations", w.Client.Answered)
	}
}

func TestFullSetIsCompactedToAdd(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 1000
		w.Put("k", verbtest.Names(90, "+", " ")+verbtest.Names(90, "-", " ")+"+a +b "+verbtest.Names(10, "-", " "), 3, 80)
		w.Limit = len(w.Value("k")) // the item is exactly full
		w.Expect("sadd k c d", "STORED")
		w.Expect("smembers k", "VALUE k 0 7", "a b c d", "END")
		if i := w.Find("k"); i.Flags != 3 || i.Expires-w.Seconds() != 80 || len(i.Value) > 20 {
			t.Errorf("%+v", i)
		}
		if account := w.Client.Routine.Account(); account.Tried != 0 {
			t.Errorf("%+v", account)
		}
	})
}

// A set that refused an append may have been replaced by the time it is probed: then it
// is not full.
func TestNotFullAfterAll(t *testing.T) {
	live := verbtest.Names(150, "+", " ")
	for _, request := range []string{"sadd k a", "srem k m1"} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			for before := range 12 { // another client makes room before this operation
				w.Put("k", live, 0, 0)
				w.Fill("k")
				n := 0
				w.Instead = func(verbs.Op) (verbs.Reply, bool) {
					if n == before {
						w.Evict("k")
						w.Put("k", live, 0, 0)
					}
					n++
					return verbs.Reply{}, false
				}
				answer := w.Send(request)
				if answer != "STORED\r\n" && n > before {
					t.Errorf("%q: room before operation %d: answered %q", request, before, answer)
				}
			}
		})
	}
}

func TestFullAndNoSet(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		value := strings.Repeat("x", 2000)
		w.Put("k", value, 0, 0)
		w.Limit = len(value)
		w.Expect("sadd k a", "CLIENT_ERROR k does not hold a set")
		w.Expect("srem k a", "CLIENT_ERROR k does not hold a set")
		w.Holds("k", value)
	})
}

// Writers keep a log short that is changed in small steps, also if others change it all the time:
// memcached copies the whole of it for each append.
func TestWritersKeepALogShort(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 128 << 10
		other := newWorld(t)
		other.Model, other.Old = w.Model, w.Old
		other.Chance = func() uint64 { return math.MaxUint64 } // so that it leaves compacting to w
		swaps := 0
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind != verbs.Swap {
				return verbs.Reply{}, false
			}
			if swaps++; swaps%2 == 1 {
				other.Expect("sadd k other", "STORED")
			}
			return verbs.Reply{}, false
		}
		const changes, members = 30_000, 20
		total := 0
		for n := range changes {
			w.Expect(fmt.Sprintf("%s k m%d", []string{"sadd", "srem"}[n/members%2], n%members), "STORED")
			total += len(w.Value("k"))
		}
		if mean := total / changes; mean > 12<<10 {
			t.Errorf("the log has %d bytes on average", mean)
		} else {
			t.Logf("the log has %d bytes on average", mean)
		}
	})
}

// A set of which nothing is left when its log is folded remains one, though a token of another kind has
// been appended by mistake meanwhile: what was added after that is there.
func TestEmptySetIsNotTakenOver(t *testing.T) {
	for _, request := range []string{"srem k a", "scompact k"} {
		w := newWorld(t)
		w.Settings.CompactDirtiness = 3
		w.Chance = func() uint64 { return 0 } // so that srem compacts
		other := newWorld(t)
		other.Model = w.Model
		other.Chance = func() uint64 { return math.MaxUint64 }
		w.Put("k", strings.Repeat("+a -a ", 40), 0, 0)
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Swap {
				w.Instead = nil
				w.Do(t, verbs.Op{Kind: verbs.Append, Key: []byte("k"), Data: []byte("y+x ")})
				other.Expect("sadd k b", "STORED")
			}
			return verbs.Reply{}, false
		}
		w.Send(request)
		if w.Instead != nil {
			t.Fatalf("%s has swapped nothing", request)
		}
		other.Expect("smembers k", "VALUE k 0 1", "b", "END")
	}
}

// Compacting is given up if others append all the time.
func TestCompactingIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.Settings.CompactDirtiness = 3
	w.Chance = func() uint64 { return 0 }
	w.Put("k", strings.Repeat("+a -a ", 400), 0, 0)
	swaps := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if op.Kind == verbs.Swap {
			swaps++
			w.Do(t, verbs.Op{Kind: verbs.Append, Key: []byte("k"), Data: []byte("+x ")})
		}
		return verbs.Reply{}, false
	}
	w.Expect("srem k a", "STORED")
	if swaps < 2 || swaps > 6 {
		t.Errorf("%d swaps were tried", swaps)
	}
}
