package tables

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestRows(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("hget k a", "END")
		w.Expect("hset k a 7 0 5\r\nhello", "STORED")
		w.Expect("hget k a", "VALUE a 7 5", "hello", "END")
		w.Cost(2)
		w.Expect("hset k b 0 100 0\r\n", "STORED")
		w.Expect("hset k a 4294967295 0 4\r\na\r\nb", "STORED")
		w.Expect("hget k b x a", "VALUE b 0 0", "", "VALUE a 4294967295 4", "a\r\nb", "END")
		w.Cost(4)
		w.Expect("hgetall k", "VALUE a 4294967295 4", "a\r\nb", "VALUE b 0 0", "", "END")
		w.Expect("hkeys k", "VALUE k 0 3", "a b", "END")
		w.Expect("hlen k", "2")
		w.Expect("hexists k a x b", "1 0 1")
		w.Expect("hdel k x", "NOT_FOUND")
		w.Expect("hdel k x a", "DELETED")
		w.Expect("hget k a b", "VALUE b 0 0", "", "END")
		w.Expect("hlen k", "1")
		w.Clock += 100_000
		w.Expect("hgetall k", "END")
		w.Expect("hkeys k", "VALUE k 0 0", "", "END")
		w.Expect("hlen k", "0")
		w.Expect("remove k", "DELETED")
		w.Expect("hget k b", "END")
		w.Expect("hgetall k", "END")
		w.Expect("hkeys k", "END")
		for _, request := range []string{"hlen k", "hexists k a", "hdel k a", "hincr k a 1"} {
			w.Expect(request, "NOT_FOUND")
		}
	})
}

func TestAdding(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("hadd k a 1 0 1\r\nx", "STORED")
		w.Expect("hadd k a 2 0 1\r\ny", "NOT_STORED")
		w.Expect("hadd k b 3 0 1\r\nz", "STORED")
		w.Expect("hgetall k", "VALUE a 1 1", "x", "VALUE b 3 1", "z", "END")
	})
}

func TestCounting(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(set("k", "a", "9"), "STORED")
		w.Expect("hincr k a 1", "10")
		w.Cost(3)
		w.Expect("hdecr k a 3", "7")
		w.Expect("hget k a", "VALUE a 0 2", "7 ", "END")
		w.Expect("hdecr k a 100", "0")
		w.Expect("hincr k a 18446744073709551615", "18446744073709551615")
		w.Expect("hincr k a 2", "1")
		w.Expect("hincr k b 2", "NOT_FOUND")
		w.Expect(set("k", "b", "ten"), "STORED")
		w.Expect("hincr k b 2", "CLIENT_ERROR cannot increment or decrement non-numeric value")
	})
}

// With an initial number, a missing row is made, and a missing table. It is listed, and counted in from then on.
func TestCountingFrom(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("hincr k a 5 007", "7")
		w.Expect("hincr k a 5 100", "12")
		w.Expect("hdecr k b 1 0", "0")
		w.Expect("hdecr k b 1 20", "0")
		w.Expect("hgetall k", "VALUE a 0 2", "12", "VALUE b 0 1", "0", "END")
		w.Expect("hdel k a", "DELETED")
		w.Expect("hincr k a 1 18446744073709551615", "18446744073709551615")
		w.Expect("hincr k a 1 5", "0")
		w.Expect("hlen k", "2")
		w.Cost(4)
		w.Put("k", "text", 0, 0)
		w.Expect("hincr k a 1 5", "CLIENT_ERROR k does not hold a table")
	})
}

// A row that another call has made meanwhile is counted in.
func TestCountingFromAnother(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(set("k", "a", "1"), "STORED")
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Add {
				w.Instead = nil
				w.Put(string(op.Key), "40", 0, 0)
			}
			return verbs.Reply{}, false
		}
		w.Expect("hincr k b 2 7", "42")
		w.Expect("hgetall k", "VALUE a 0 1", "1", "VALUE b 0 2", "42", "END")
	})
}

// A call is one round trip where the generation is remembered, and two where it is not; a
// listing takes one more.
func TestRoundTrips(t *testing.T) {
	w := newWorld(t)
	w.Chance = func() uint64 { return math.MaxUint64 } // no index is read by chance
	trips := func(request string, want int) {
		t.Helper()
		w.Send(request)
		if got := w.Client.Routine.Account().Trips; got != want {
			t.Errorf("%q: %d round trips, expected %d", request, got, want)
		}
	}
	trips(set("k", "a", "1"), 2)
	var fill strings.Builder
	for n := range 999 {
		fmt.Fprintf(&fill, " f%d", n)
		w.Send(set("k", fmt.Sprintf("f%d", n), "1"))
	}
	for _, request := range []string{set("k", "a", "2"), "hadd k b 0 0 1\r\n1", "hadd k b 0 0 1\r\n1", "hget k a", "hexists k a b", "hincr k a 1", "hdel k b"} {
		trips(request, 1)
		*w.Hints() = verbs.Hints{}
		trips(request, 2)
	}
	for _, request := range []string{"hkeys k", "hlen k"} {
		trips(request, 2)
		*w.Hints() = verbs.Hints{}
		trips(request, 3)
	}
	for request, known := range map[string]int{"hgetall k": 2, "hget k" + fill.String(): 1} {
		*w.Hints() = verbs.Hints{}
		trips(request, known+2) // few rows first, as it is not known how long they are
		trips(request, known)
	}
}

// hget takes the same operations however many rows there are, and hgetall of 1000 rows takes
// those on all rows and the anchor at once, after the index.
func TestOperations(t *testing.T) {
	for _, size := range []int{1, 1000, 100_000} {
		w := newWorld(t)
		w.Limit = 1 << 20
		w.Put("k", "h:0123456789abcdeA ", 0, 0)
		w.Put(indexOf(w, "k"), verbtest.Names(size, "+", " "), 0, 0)
		for n := range size {
			w.Put(rowOf(w, "k", fmt.Sprintf("m%d", n)), "1", 0, 0)
		}
		w.Expect(fmt.Sprintf("hget k m%d", size/2), rows(fmt.Sprintf("m%d 1", size/2))...)
		w.Cost(3)
		w.Expect(fmt.Sprintf("hget k m%d", size-1), rows(fmt.Sprintf("m%d 1", size-1))...)
		w.Cost(2)
		if size != 1000 {
			continue
		}
		var asked []string
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			asked = append(asked, string(op.Key))
			return verbs.Reply{}, false
		}
		w.Send("hgetall k") // which learns the size of rows
		if n := w.Client.Routine.Account().Trips; n != 3 || len(asked) != 1+size+2 {
			t.Errorf("the first hgetall takes %d operations in %d round trips", len(asked), n)
		}
		asked = nil
		w.Send("hgetall k")
		if n := w.Client.Routine.Account().Trips; n != 2 || len(asked) != 1+size+1 || asked[0] != indexOf(w, "k") || asked[1+size] != "k" {
			t.Errorf("hgetall takes %d operations in %d round trips: %.200q", len(asked), n, asked)
		}
	}
}

// Rows are fetched a limited amount at a time, as others wait for the upstream meanwhile.
func TestLargeRowsAreFetchedFewAtATime(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Limit = 1 << 20
	w.Put("k", "h:0123456789abcdeA ", 0, 0)
	w.Put(indexOf(w, "k"), verbtest.Names(300, "+", " "), 0, 0)
	for n := range 300 {
		w.Put(rowOf(w, "k", fmt.Sprintf("m%d", n)), strings.Repeat("x", 300_000), 0, 0)
	}
	most, asked := 0, 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if asked++; op.Kind == verbs.Fetch && string(op.Key) == "k" { // the last of a batch
			most, asked = max(most, asked), 0
		}
		return verbs.Reply{}, false
	}
	w.Send("hget k" + verbtest.Names(100, " ", ""))
	if most > firstRows+1 {
		t.Errorf("%d operations in one batch", most)
	}
	most, asked = 0, -1 // the index is asked for alone
	if answer := w.Send("hgetall k"); !strings.HasPrefix(answer, "SERVER_ERROR") {
		t.Errorf("answered %.100q", answer)
	}
	if most > 3+1 {
		t.Errorf("%d operations in one batch, though the size of rows is known", most)
	}
}

// What the index holds is listed if it has a row, and in the order of the index.
func TestListingLooksForRows(t *testing.T) {
	w := newWorld(t)
	for _, field := range []string{"a", "b", "c"} {
		w.Expect(set("k", field, field+field), "STORED")
	}
	w.Evict(rowOf(w, "k", "b"))
	w.Expect("hgetall k", rows("a aa", "c cc")...)
	w.Expect("hkeys k", "VALUE k 0 3", "a c", "END")
	w.Expect("hlen k", "2")
	w.Holds(indexOf(w, "k"), "+a +b +c ")
}

// A remembered generation is not believed.
func TestAnotherProxyMakesTheTableAnew(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, request := range []string{set("k", "a", "new"), "hadd k a 0 0 3\r\nnew", "hget k a b", "hgetall k", "hkeys k", "hlen k", "hexists k a", "hdel k a", "hincr k b 1"} {
			w.Model = verbtest.NewModel()
			w.Old = t.Name() == "TestAnotherProxyMakesTheTableAnew/old"
			w.Expect(set("k", "a", "old"), "STORED")
			before := *w.Hints()
			dead := generation(w, "k")
			w.Expect("remove k", "DELETED")
			*w.Hints() = verbs.Hints{}
			w.Expect(set("k", "b", "5"), "STORED")
			want := w.Send(request)
			w.Expect("remove k", "DELETED")
			w.Expect(set("k", "b", "5"), "STORED")
			*w.Hints() = before
			if w.Hints().Of([]byte("k")).Text != dead {
				w.Hints().Note("k", verbs.Hint{Text: dead})
			}
			if got := w.Send(request); got != want {
				t.Errorf("%q: %q, expected %q", request, got, want)
			}
		}
	})
}

func TestNoTable(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, value := range []string{"hello", "+a ", "", "h:", "h:0123456789abcdeA0 ", "h:0123456789abcde\r", "@0123456789abcdeA:1:3:h "} {
			w.Put("k", value, 0, 0)
			for _, request := range []string{set("k", "a", "1"), "hadd k a 0 0 1\r\n1", "hget k a", "hgetall k", "hkeys k", "hlen k", "hexists k a", "hdel k a", "hincr k a 1"} {
				w.Expect(request, "CLIENT_ERROR k does not hold a table")
				w.Hints().Note("k", verbs.Hint{Text: "0123456789abcdeB"}) // remembered from a table that is gone
				w.Expect(request, "CLIENT_ERROR k does not hold a table")
			}
			w.Holds("k", value)
		}
		w.Expect(set("t", "a", "1"), "STORED")
		w.Expect("smembers t", "CLIENT_ERROR t does not hold a set")
	})
}

// What is appended to the anchor by mistake means nothing, and a verb on sets that rewrites
// it leaves the table alone.
func TestForeignTokensInTheAnchor(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 100
		w.Expect(set("k", "a", "1"), "STORED")
		anchor := w.Value("k")
		for n := range 30 {
			w.Expect(fmt.Sprintf("sadd k member%d", n), "STORED")
			w.Expect("hget k a", rows("a 1")...)
		}
		if got := w.Value("k"); len(got) > 200 || !strings.HasPrefix(got, anchor) {
			t.Errorf("the anchor is %q", got)
		}
	})
}

// Keys and fields of any length, with all the characters that part the keys of items.
func TestNamesOfAnyLength(t *testing.T) {
	w := newWorld(t)
	var want []string
	for _, key := range []string{"k", "k:", "k=", strings.Repeat("k", 229), strings.Repeat(":", 250), strings.Repeat("=", 250)} {
		for _, field := range []string{"f", ":", "=", "f:f", "f=f", strings.Repeat("f", 200), strings.Repeat("=", 200), strings.Repeat(":", 199)} {
			value := fmt.Sprint(len(key), len(field), field[:1])
			w.Expect(set(key, field, value), "STORED")
			want = append(want, key+" "+field+" "+value)
		}
	}
	for _, row := range want {
		words := strings.SplitN(row, " ", 3)
		w.Expect("hget "+words[0]+" "+words[1], rows(words[1]+" "+words[2])...)
	}
	if len(w.Keys()) != 6*2+len(want) {
		t.Errorf("%d items", len(w.Keys()))
	}
}

func TestLostRowAnchorAndIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		fill := func() {
			w.Expect(set("k", "a", "1"), "STORED")
			w.Expect(set("k", "b", "2"), "STORED")
		}
		fill()
		w.Evict(rowOf(w, "k", "a"))
		w.Expect("hgetall k", rows("b 2")...)
		w.Expect("hget k a", "END")
		w.Evict("k")
		w.Expect("hgetall k", "END")
		w.Expect(set("k", "c", "3"), "STORED")
		w.Expect("hgetall k", rows("c 3")...)
		if len(w.Lost) != 0 {
			t.Errorf("lost: %q", w.Lost)
		}
		for n, request := range []string{"hgetall k", "hkeys k", "hlen k", "settle k"} {
			fill()
			w.Evict(indexOf(w, "k"))
			w.Expect("hget k a", rows("a 1")...) // which can't know
			answer := w.Send(request)
			if request == "settle k" {
				if w.Value("k") == "none" {
					t.Error("settling condemns")
				}
				w.Evict("k")
				continue
			}
			if answer != "END\r\n" && answer != "NOT_FOUND\r\n" {
				t.Errorf("%q: %q", request, answer)
			}
			w.Expect("hget k a", "END")
			if len(w.Lost) != n+1 || w.Lost[n] != "k" {
				t.Errorf("lost: %q", w.Lost)
			}
		}
		w.Lost = nil
		for _, request := range []string{set("k", "c", "3"), "hadd k c 0 0 1\r\n3"} {
			w.Evict("k")
			fill()
			w.Evict(indexOf(w, "k"))
			w.Expect(request, "STORED")
			w.Expect("hgetall k", rows("c 3")...)
			if len(w.Lost) == 0 {
				t.Error("the loss was not noted")
			}
		}
	})
}

// Choosing some fields of a long index pauses, as everything does that looks at all of them.
func TestSamplingPauses(t *testing.T) {
	pauses, found := 0, 0
	c := newCall(&verbs.Call{Env: newWorld(t), Pace: verbs.Pace{Slice: 10, Pause: func() { pauses++ }}})
	var set sets.Set
	set.Read(nil, []byte(verbtest.Names(60, "+", " ")), 0)
	c.eachMember(&set, func(int, []byte) { found++ })
	if found != 60 || pauses != 5 {
		t.Errorf("%d fields, with %d pauses", found, pauses)
	}
}

// A table that is deleted while rows are deleted from it is not denied if some were.
func TestDeletedWhileRowsAre(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Send(set("k", "f", "1"))
		request, deletes := "hdel k f", 0
		for n := range rowsAtOnce + 100 {
			request += fmt.Sprint(" g", n)
		}
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Delete {
				if deletes++; deletes == rowsAtOnce+1 {
					w.Evict("k")
				}
			}
			return verbs.Reply{}, false
		}
		w.Expect(request, "DELETED")
		if deletes <= rowsAtOnce {
			t.Errorf("%d rows were deleted, all at once", deletes)
		}
	})
}
