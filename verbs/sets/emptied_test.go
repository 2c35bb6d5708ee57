package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A set that is made with a time to live ends when its last member is removed, by whoever knows that.
func TestEmptiedSetIsMadeAnew(t *testing.T) {
	for _, emptied := range [][]string{
		{"spop k"}, {"spop k 20"}, {"srem k a", "spop k"}, {"srem k a", "scard k"}, {"srem k a", "smembers x k y"},
		{"srem k a", "sismember k a"}, {"srem k a", "srandmember k"}, {"srem k a", "sunion x k"}, {"srem k a", "scompact k"},
	} {
		for _, viewed := range []bool{false, true} {
			onBoth(t, func(t *testing.T, w *verbtest.World) {
				if viewed {
					w.Kept = views.Eager([]byte("k"))
				}
				w.Expect("@600 sadd k a", "STORED")
				w.Expect("scard k", "1")
				w.Expect("scard k", "1")
				for _, request := range emptied {
					w.Send(request)
				}
				if w.Find("k") != nil {
					t.Errorf("after %q, it is there", emptied)
				}
				w.Expect("@300 sadd k b", "STORED")
				w.Expect("smembers k", "VALUE k 0 1", "b", "END")
				if left := w.Find("k").Expires - w.Seconds(); left != 300 {
					t.Errorf("after %q, %d seconds are left instead of 300", emptied, left)
				}
			})
		}
	}
}

// A removal without reading does not know that it removes the last member: the set keeps its time to
// live until somebody looks at it.
func TestSetEmptiedWithoutReading(t *testing.T) {
	w := newWorld(t)
	w.Expect("@600 sadd k a", "STORED")
	w.Expect("srem k a", "STORED")
	w.Expect("@300 sadd k b", "STORED")
	if left := w.Find("k").Expires - w.Seconds(); left != 600 {
		t.Errorf("%d seconds are left", left)
	}
	w.Expect("smembers k", "VALUE k 0 1", "b", "END")
}

// A call of a pool that must not be changed does not delete an empty set.
func TestEmptiedSetOfReadOnlyPool(t *testing.T) {
	w := newWorld(t)
	w.Settings = verbs.Options{ReadOnly: true}
	w.Put("k", "+a -a ", 0, 600)
	w.Expect("scard k", "0")
	w.Holds("k", "+a -a ")
}
