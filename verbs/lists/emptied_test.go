package lists

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A list that is made with a time to live ends when its last element is removed, so that the next push
// makes another with a time of its own, however it was emptied, by whoever knows that.
func TestEmptiedListIsMadeAnew(t *testing.T) {
	for _, emptied := range [][]string{
		{"lpop k"}, {"rpop k"}, {"lpop k 3"}, {"rpop k 20"}, {"ltrim k 1 0"}, {"ltrim k 5 9"}, {"@60 rpush k b", "lpop k", "lpop k"},
		{"lrem k 0 a", "lpop k"}, {"lrem k 0 a", "llen k"}, {"lrem k 1 a", "lrange k"}, {"lrem k -1 a", "ltrim k 0 -1"},
	} {
		for _, options := range []verbs.Options{roomy, small} {
			for _, viewed := range []bool{false, true} {
				verbtest.OnBoth(t, theVerbs, func(t *testing.T, w *verbtest.World) {
					w.Settings = options
					if viewed {
						w.Kept = views.Eager([]byte("k"))
					}
					w.Expect("@600 rpush k a", "STORED")
					for range 2 {
						w.Send("llen k") // so that it has a view
					}
					for _, request := range emptied {
						w.Send(request)
					}
					w.Holds("k", "none")
					w.Expect("@300 lpush k b", "STORED")
					w.Expect("lrange k", "VALUE k 0 1", "b", "END")
					if left := w.Find("k").Expires - w.Seconds(); left != 300 {
						t.Errorf("after %q, %d seconds are left instead of 300", emptied, left)
					}
					w.Expect("lpop k", "VALUE k 0 1", "b", "END")
					w.Expect("rpush k c", "STORED")
					if expires := w.Find("k").Expires; expires != verbtest.Never {
						t.Errorf("after %q, what was pushed without a time to live expires at %d", emptied, expires)
					}
				})
			}
		}
	}
}

// The segments of a list that ends are deleted with it.
func TestEmptiedListLeavesNothing(t *testing.T) {
	for _, pops := range []int{1, 7, 40} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Settings = small
		for n := range 40 {
			w.Expect(fmt.Sprintf("@600 rpush k %d", n), "STORED")
		}
		for popped := 0; popped < 40; popped += pops {
			w.Send(fmt.Sprint("lpop k ", pops))
		}
		w.Expect("llen k", "NOT_FOUND")
		delete(w.Items, "k:@clock")
		if keys := w.Keys(); len(keys) > 0 {
			t.Errorf("with %d at a time, %q are left", pops, keys)
		}
	}
}

// A list without a time to live is still there when it is empty, and so is one that has lost its time to live.
func TestEmptiedListWithoutTimeToLiveStays(t *testing.T) {
	verbtest.OnBoth(t, theVerbs, func(t *testing.T, w *verbtest.World) {
		w.Expect("rpush k a", "STORED")
		w.Expect("lpop k", "VALUE k 0 1", "a", "END")
		w.Expect("llen k", "0")
		w.Expect("@600 rpush k b", "STORED")
		if expires := w.Find("k").Expires; expires != verbtest.Never {
			t.Errorf("it expires at %d", expires)
		}
		w.Put("k", "l>a ", 0, 600)
		w.Expect("lrange k", "VALUE k 0 1", "a", "END")
		w.Find("k").Expires = verbtest.Never
		w.Expect("lpop k", "VALUE k 0 1", "a", "END")
		w.Expect("llen k", "0")
	})
}

// What is pushed while the last element is being popped is not lost: the pop is decided again.
func TestPushWhileTheLastIsPopped(t *testing.T) {
	for _, viewed := range []bool{false, true} {
		w := verbtest.NewWorld(t, theVerbs)
		if viewed {
			w.Kept = views.Eager([]byte("k"))
		}
		w.Put("k", "l>a ", 0, 600)
		w.Send("llen k")
		pushed := false
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.DeleteIf && !pushed {
				pushed = true
				w.Do(t, verbs.Op{Kind: verbs.AppendOrCreate, Key: op.Key, Data: []byte("l>b "), Exptime: 100})
			}
			return verbs.Reply{}, false
		}
		w.Expect("lpop k", "VALUE k 0 1", "a", "END")
		if !pushed {
			t.Errorf("with views %v, the pop of the last element does not delete", viewed)
		}
		w.Expect("lrange k", "VALUE k 0 1", "b", "END")
		if left := w.Find("k").Expires - w.Seconds(); left != 600 {
			t.Errorf("%d seconds are left", left)
		}
	}
}

// What orders have removed is remembered although the list is empty, until whoever gave them knows.
func TestEmptiedListRemembersOrders(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	const order = "l~caller----------.1.1700000000000.(1 "
	w.Put("k", "l>a "+order, 0, 600)
	w.Expect("lpop k", "VALUE k 0 0", "", "END")
	w.Expect("llen k", "0")
	if w.Find("k") == nil {
		t.Error("nobody would know what the order has removed")
	}
	w.Clock += format.OrderLasts + 10_000
	w.Expect("llen k", "0")
	w.Holds("k", "none")
}
