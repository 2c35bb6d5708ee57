package lists

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A view of a long list takes up what is pushed without a copy of all that it has.
func TestViewGrowsInPlace(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	const elements, size = 40_000, 100
	for range elements / 200 {
		w.Send("rpush k" + strings.Repeat(" "+strings.Repeat("x", size), 200))
	}
	w.Send("llen k")
	for i := range 20 {
		w.Send("rpush k y")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w.Expect("llen k", fmt.Sprint(elements+i+1))
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > elements*size/4 {
			t.Fatalf("to take up one element of %d took %d bytes of memory", elements+i, n)
		}
	}
}

// settlings counts from now on how often w settles a head, and how many parts of segments it reads.
func settlings(w *verbtest.World) (settled, read *int) {
	settled, read = new(int), new(int)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		switch {
		case op.Kind == verbs.Swap:
			*settled++
		case op.Kind == verbs.Fetch && strings.HasPrefix(string(op.Key), "k:") && !strings.HasPrefix(string(op.Key), "k:@"): // no lease
			*read++
		}
		return verbs.Reply{}, false
	}
	return settled, read
}

// What a proxy has written itself when it settles a head it need not read, nor what it has a view of anyway.
func TestOwnSettlingIsNotRead(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept, w.Settings = views.Eager([]byte("k")), verbs.Options{StructureItemSize: 200}
	n := 0
	for range 50 {
		w.Expect(fmt.Sprint("rpush k value", n), "STORED")
		n++
	}
	w.Expect("llen k", fmt.Sprint(n))
	settled, read := settlings(w)
	for range 200 {
		w.Expect(fmt.Sprint("rpush k value", n), "STORED")
		n++
		w.Expect("lrange k -1 -1", fmt.Sprintf("VALUE k 0 %d\r\nvalue%d", len(fmt.Sprint("value", n-1)), n-1), "END")
	}
	if *settled < 10 || *read > 0 {
		t.Errorf("the head was settled %d times, and %d parts of segments were read", *settled, *read)
	}
	w.Kept = nil
	w.Expect("llen k", fmt.Sprint(n))
}

// If what it writes differs from what the view has, since what was popped is gone, that is so as well.
func TestOwnFoldingIsNotRead(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept, w.Settings = views.Eager([]byte("k")), verbs.Options{StructureItemSize: 200}
	const length, pops = 300, 100 // of so many tokens a view need not be made anew
	for i := range length {
		w.Expect(fmt.Sprint("rpush k value", i), "STORED")
	}
	w.Expect("llen k", fmt.Sprint(length))
	settled, read := settlings(w)
	for i := range pops {
		w.Expect(fmt.Sprint("rpush k value", i+length), "STORED")
		w.Expect("lpop k", fmt.Sprintf("VALUE k 0 %d\r\nvalue%d", len(fmt.Sprint("value", i)), i), "END")
	}
	if *settled < pops/10 || *read > 0 {
		t.Errorf("the head was settled %d times, and %d parts of segments were read", *settled, *read)
	}
	w.Kept = nil
	w.Expect("llen k", fmt.Sprint(length))
	w.Expect("lpop k", fmt.Sprintf("VALUE k 0 8\r\nvalue%d", pops), "END")
}

// A view follows a list whose head another proxy settles again and again: as long as that
// moves tokens to segments unchanged, the list is not folded anew.
func TestViewFollowsSettling(t *testing.T) {
	for _, slice := range []int{0, 1, 7} {
		t.Run(fmt.Sprint(slice), func(t *testing.T) {
			w := verbtest.NewWorld(t, theVerbs)
			w.Kept = views.Eager([]byte("k"))
			if slice > 0 {
				w.Client.Routine.Inside().Pace.Slice = slice
			}
			other := verbtest.NewWorld(t, theVerbs) // through another proxy
			other.Model = w.Model
			w.Settings, other.Settings = verbs.Options{StructureItemSize: 200}, verbs.Options{StructureItemSize: 200}
			n := 0
			push := func(times int) {
				for range times {
					n++
					other.Expect(fmt.Sprint("rpush k value", n), "STORED")
				}
			}
			push(400)
			w.Expect("llen k", fmt.Sprint(n))
			settled, read := 0, 0
			fold := w.Kept.Fold("k")
			for i := range 60 {
				before, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
				push(1 + i%9)
				after, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
				w.Expect("llen k", fmt.Sprint(n))
				if fmt.Sprint(before) != fmt.Sprint(after) {
					settled++
				}
				if now := w.Kept.Fold("k"); now != fold {
					fold = now
					read++
				}
			}
			w.Expect("lrange k 0 1", "VALUE k 0 13", "value1 value2", "END")
			w.Expect("lrange k -1 -1", fmt.Sprintf("VALUE k 0 8\r\nvalue%d", n), "END")
			if settled < 10 || read > 1 { // once as the table of the fold became too small
				t.Errorf("the head was settled %d times, and the list was folded %d times", settled, read)
			}
		})
	}
}
