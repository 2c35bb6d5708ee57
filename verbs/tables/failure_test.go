package tables

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

var everyRequest = []string{
	set("k", "c", "3"), "hadd k d 0 0 1\r\n1", "hadd k a 0 0 1\r\n1", "hget k a b x", "hexists k a x", "hdel k a", "hincr k b 1", "hdecr k x 1", "hincr k d 1 5",
	"hkeys k", "hgetall k", "hlen k", "hkeys k 1 2", "hgetall k 0 1", "hgetall k 1 -1",
}

func TestTellsEveryFailure(t *testing.T) {
	for _, request := range everyRequest {
		fill := func(w *verbtest.World) {
			w.Send(set("k", "a", "1"))
			w.Send(set("k", "b", "2"))
		}
		verbtest.FailEach(t, theVerbs, request, func(*verbtest.World) {})
		if strings.HasPrefix(request, "hadd k a") { // which needs no place in the index
			continue
		}
		verbtest.FailEach(t, theVerbs, request, fill)
		verbtest.FailEach(t, theVerbs, request, func(w *verbtest.World) {
			fill(w)
			*w.Hints() = verbs.Hints{}
		})
	}
}

func TestEndsWithSenselessReplies(t *testing.T) {
	verbtest.ReplySenselessly(t, theVerbs, everyRequest)
}

func TestDoesNotSpin(t *testing.T) {
	verbtest.Long(t)
	verbtest.Interfere(t, theVerbs, everyRequest, func(r *rand.Rand, key string) string {
		switch {
		case key == "k":
			return "h:" + []string{"0123456789abcdeA ", "0123456789abcdeB "}[r.IntN(2)]
		case strings.Contains(key, "="):
			return fmt.Sprint(r.IntN(10))
		}
		return []string{"", "+a ", "+a -b "}[r.IntN(3)]
	})
}

// A listing reads rows of any size in the room there is, a limited number at a time.
func TestRowsWithoutRoom(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		var want []string
		for n := range 30 {
			value := strings.Repeat(fmt.Sprint(n%10), 10_000)
			w.Expect(set("k", fmt.Sprintf("f%d", n), value), "STORED")
			want = append(want, fmt.Sprintf("f%d %s", n, value))
		}
		w.Client.Routine.Inside().Pace.Slice = 10
		for denied := range 80 { // so many times in a row
			left := denied
			w.Client.Narrow = func() bool { left--; return left >= 0 }
			w.Expect("hgetall k", rows(want...)...)
			left = denied
			w.Expect("hget k f3 f4", rows(want[3:5]...)...)
		}
	})
}

// An answer of megabytes grows while others run, who read into the same memory.
func TestLongRowsWithoutRoom(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 1 << 20
		var want []string
		for n := range 8 {
			value := strings.Repeat(fmt.Sprint(n), 500_000)
			w.Expect(set("k", fmt.Sprintf("f%d", n), value), "STORED")
			want = append(want, fmt.Sprintf("f%d %s", n, value))
		}
		for denied := range 12 {
			left := denied
			w.Client.Narrow = func() bool { left--; return left >= 0 }
			w.Expect("hgetall k", rows(want...)...)
		}
	})
}

func TestAnswersAreBounded(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct = true
	value := strings.Repeat("x", 1<<20)
	var names strings.Builder
	for n := range 33 {
		w.Expect(set("k", fmt.Sprintf("f%d", n), value), "STORED")
		fmt.Fprintf(&names, " f%d", n)
	}
	w.Expect("hget k"+names.String(), verbs.TooMuch)
	w.Expect("hlen k", "33")
}

// More rows than are asked for at once.
func TestManyRows(t *testing.T) {
	w := newWorld(t)
	w.Direct = true
	w.Settings.StructureItemSize, w.Settings.CompactDirtiness = 4<<10, 1<<20
	var names, all strings.Builder
	const n = rowsAtOnce + 7
	for i := range n {
		w.Expect(set("k", fmt.Sprintf("m%d", i), fmt.Sprint(i)), "STORED")
		fmt.Fprintf(&names, " m%d", i)
		fmt.Fprintf(&all, "VALUE m%d 0 %d\r\n%d\r\n", i, len(fmt.Sprint(i)), i)
	}
	w.Expect("hlen k", fmt.Sprint(n))
	w.Expect("hkeys k", fmt.Sprintf("VALUE k 0 %d", names.Len()-1), names.String()[1:], "END")
	for _, request := range []string{"hgetall k", "hget k" + names.String()} {
		if got := w.Send(request); got != all.String()+"END\r\n" {
			t.Errorf("%.20q: answered %d bytes", request, len(got))
		}
	}
	w.Expect("hexists k"+names.String(), strings.Repeat("1 ", n-1)+"1")
	w.Expect("hdel k"+names.String(), "DELETED")
	w.Expect("hlen k", "0")
}

// The index does not grow for ever, though every row expires and each has another field.
func TestIndexIsPruned(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Direct = true
		w.Settings.StructureItemSize = 2 << 10
		longest := 0
		for n := range 20_000 {
			w.Clock += 100
			w.Expect(fmt.Sprintf("hset k f%d 0 10 1\r\nx", n), "STORED") // about 100 rows at a time
			if n%100 == 0 {
				size := len(w.Value(indexOf(w, "k")))
				parts, _ := format.PartKeys([]byte(indexOf(w, "k")), []byte(w.Value(indexOf(w, "k"))))
				for _, part := range parts {
					size += len(w.Value(part))
				}
				longest = max(longest, size)
			}
		}
		if longest > 8<<10 {
			t.Errorf("the index took %d bytes", longest)
		}
		rows := 0
		for _, key := range w.Keys() {
			if strings.Contains(key, "=") {
				rows++
			}
		}
		w.Expect("hlen k", fmt.Sprint(rows))
	})
}

// A listing that finds few rows for many fields has the index compacted.
func TestListingCompacts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.CompactDirtiness = 2
		for _, field := range []string{"a", "b", "c", "d"} {
			w.Expect(set("k", field, "1"), "STORED")
		}
		w.Expect("hdel k a c d", "DELETED")
		w.Holds(indexOf(w, "k"), "+a +b +c +d ")
		w.Expect("hkeys k", "VALUE k 0 1", "b", "END")
		w.Holds(indexOf(w, "k"), "+b ")
	})
}

// The parts of the index are read now and then while only rows are. A lost one is found so.
func TestIndexIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 40
		for n := range 10 {
			w.Expect(set("k", fmt.Sprintf("f%d", n), "1"), "STORED")
		}
		index := indexOf(w, "k")
		parts, _ := format.PartKeys([]byte(index), []byte(w.Value(index)))
		if len(parts) == 0 {
			t.Fatalf("there are no segments: %q", w.Value(index))
		}
		w.Clock += views.PartsLast
		w.Expect("hget k f1", rows("f1 1")...)
		w.Cost(2 + 1 + len(parts))
		w.Expect("hget k f1", rows("f1 1")...)
		w.Cost(2)
		w.Clock += views.PartsLast
		w.Evict(parts[0])
		w.Expect("hget k f1", rows("f1 1")...)
		w.Holds("k", "none")
		if len(w.Lost) != 1 || w.Lost[0] != "k" {
			t.Errorf("lost: %q", w.Lost)
		}
	})
}

// Where the upstream keeps no CAS, a table that has lost its index can't be condemned.
func TestLostIndexWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.Expect(set("k", "a", "1"), "STORED")
	w.Evict(indexOf(w, "k"))
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	for _, request := range []string{set("k", "a", "1"), "hgetall k", "hlen k"} {
		w.Expect(request, "SERVER_ERROR a part of k was evicted, and its upstream keeps no CAS; delete it")
	}
}

// Members of an index that can be no fields are left out, and removed when it is folded.
func TestStraysInAnIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(set("k", "a", "1"), "STORED")
		w.Expect(set("k", "c", "3"), "STORED")
		index := indexOf(w, "k")
		for _, stray := range []string{strings.Repeat("z", maxField+1), strings.Repeat("z", 5000), "x\x00", "\x7f"} {
			w.Put(index, "+"+stray+" +a +"+stray+"y +b +c ", 0, 0)
			w.Expect("hgetall k", rows("a 1", "c 3")...)
			w.Expect("hkeys k", "VALUE k 0 3", "a c", "END")
			w.Expect("hlen k", "2")
			w.Settings.CompactDirtiness = 2
			w.Expect("hlen k", "2")
			w.Settings.CompactDirtiness = 100
			if left := w.Value(index); strings.Contains(left, stray) {
				t.Errorf("%.20q is left in %.100q", stray, left)
			}
		}
	})
}

func TestRowThatIsTooLarge(t *testing.T) {
	w := newWorld(t)
	w.Limit = 1000
	w.Expect(set("k", "a", "1"), "STORED")
	w.Expect(set("k", "a", strings.Repeat("x", 1001)), "SERVER_ERROR object too large for cache")
	w.Expect("hget k a", "END")
	w.Expect("hgetall k", "END")
}

// A table is condemned only if it is the one whose index was missing.
func TestCondemnsTheTableThatItHasSeen(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const other = "0123456789abcdeA"
		for _, request := range []string{"hgetall k", set("k", "b", "2")} {
			w.Instead = nil
			w.Evict("k")
			w.Expect(set("k", "a", "1"), "STORED")
			w.Evict(indexOf(w, "k"))
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if op.Kind == verbs.Delete || op.Kind == verbs.DeleteIf {
					w.Put("k", "h:"+other+" ", 0, 0)
					w.Put("k:"+other, "+c ", 0, 0)
					w.Put("k:"+other+"=c", "3", 0, 0)
				}
				return verbs.Reply{}, false
			}
			if answer := w.Send(request); request == "hgetall k" && !strings.Contains(answer, "VALUE c") {
				t.Errorf("%q: %q", request, answer)
			}
			w.Expect("hexists k c", "1")
		}
		if len(w.Lost) > 0 {
			t.Errorf("lost: %q", w.Lost)
		}
	})
}

// Whether a row was deleted is unknown if the reply is lost, also if the table is gone afterwards.
func TestLostReplyOfATableThatIsGone(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Send(set("k", "a", "1"))
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind != verbs.Delete {
				return verbs.Reply{}, false
			}
			w.Evict("k")
			return verbs.Reply{Err: "SERVER_ERROR gone"}, true
		}
		if answer := w.Send("hdel k a"); !strings.HasPrefix(answer, errTorn) {
			t.Errorf("answered %q", answer)
		}
	})
}
