package tables

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A page is the same part of the whole, which fields of the index that have no row don't count in. None of its
// rows is read twice, nor any other.
func TestPages(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range []int{0, 1, 3, 40, 900} {
		w := newWorld(t)
		w.Limit = 1 << 20
		w.Settings.CompactDirtiness = 1 << 30
		w.Put("k", "h:0123456789abcdeA ", 0, 0)
		w.Put(indexOf(w, "k"), verbtest.Names(size, "+", " "), 0, 0)
		var there []string
		for n := range size {
			if field := fmt.Sprintf("m%d", n); r.IntN(3) > 0 && n > size/3 { // a third at the beginning is gone, and a third of the rest
				there = append(there, field)
				w.Put(rowOf(w, "k", field), field+field, 0, 0)
			}
		}
		for _, place := range append(somePlaces(r, len(there)), [2]int{0, -1}, [2]int{len(there), 1}, [2]int{1 << 62, 1 << 62}) {
			offset, count := place[0], place[1]
			from := min(offset, len(there))
			to := len(there)
			if count >= 0 {
				to = min(from+min(count, to), to)
			}
			want := there[from:to]
			names := strings.Join(want, " ")
			w.Expect(fmt.Sprintf("hkeys k %d %d", offset, count), fmt.Sprintf("VALUE k 0 %d", len(names)), names, "END")
			var lines, fetched []string
			for _, field := range want {
				lines = append(lines, field+" "+field+field)
			}
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if _, field, isRow := strings.Cut(string(op.Key), "="); isRow && op.Kind == verbs.Fetch {
					fetched = append(fetched, field)
				}
				return verbs.Reply{}, false
			}
			w.Expect(fmt.Sprintf("hgetall k %d %d", offset, count), rows(lines...)...)
			w.Instead = nil
			if count >= 0 && !slices.Equal(fetched, want) {
				t.Errorf("%d rows from %d on: those that are read are %q", count, offset, fetched)
			}
		}
	}
}

// somePlaces returns some offsets and counts about a table of so many rows.
func somePlaces(r *rand.Rand, size int) (places [][2]int) {
	for range 12 {
		places = append(places, [2]int{r.IntN(size + 2), r.IntN(size + 2)}, [2]int{r.IntN(size + 2), r.IntN(5)})
	}
	return places
}

// Where there is no table there is no page, and what is no table has none.
func TestPagesOfNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("hgetall k 0 10", "END")
		w.Expect("hkeys k 0 10", "END")
		w.Expect(set("k", "a", "1"), "STORED")
		w.Expect("hgetall k 1 10", "END")
		w.Expect("hkeys k 1 10", "VALUE k 0 0", "", "END")
		w.Expect("hkeys k 0 0", "VALUE k 0 0", "", "END")
		w.Expect("hgetall k 0 0", "END")
		w.Evict(indexOf(w, "k"))
		w.Expect("hgetall k 0 1", "END")
		if !slices.Equal(w.Lost, []string{"k"}) {
			t.Errorf("lost: %q", w.Lost)
		}
		w.Put("k", "text", 0, 0)
		w.Expect("hgetall k 0 1", "CLIENT_ERROR k does not hold a table")
	})
}

// A table whose rows are too large for one answer is read in pages, and who asks for the whole is told so, also by key.
func TestTooLargeATableIsReadInPages(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct, w.Limit = true, 1<<20
	const size = 121
	value := strings.Repeat("x", 500_000)
	for n := range size {
		w.Expect(set("k", fmt.Sprintf("f%d", n), value), "STORED")
	}
	w.Expect("hgetall k", "SERVER_ERROR k has more than 32 MB; ask for pages of it: hgetall <key> <offset> <count>")
	w.Expect("hgetall k 0 -1", verbs.TooMuch)
	var found []string
	for offset := 0; offset < size; offset += 50 {
		text := []byte(w.Send(fmt.Sprintf("hgetall k %d 50", offset)))
		for {
			var unit protocol.Reply
			n, _, err := protocol.ParseReply(text, &unit)
			if err != nil || unit.Kind != protocol.ReplyValue {
				break
			}
			if len(unit.Data) != len(value) {
				t.Errorf("%s has %d bytes", unit.Key, len(unit.Data))
			}
			found = append(found, string(unit.Key))
			text = text[n:]
		}
	}
	if got, want := strings.Join(found, " "), strings.TrimSpace(strings.ReplaceAll(verbtest.Names(size, "", " "), "m", "f")); got != want {
		t.Errorf("the pages have %q", got)
	}
	c := newCall(&verbs.Call{Env: newWorld(t), Arguments: verbs.Arguments{Key: []byte("k"), Listed: true}, Answer: make([]byte, 1)})
	c.whole = "hgetall"
	if !c.tooLong(verbs.MaxAnswer) || string(c.Answer) != "SERVER_ERROR k has more than 32 MB; ask for pages of it: end the key with /page/<offset>/<count>\r\n" {
		t.Errorf("by key the answer is %q", c.Answer)
	}
}

// A row that is gone when it is to be read is no row of the table any more: the one after the page is, in its place.
func TestRowsThatGoFromAPage(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, field := range []string{"a", "b", "c", "d"} {
			w.Expect(set("k", field, field), "STORED")
		}
		b := rowOf(w, "k", "b")
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Fetch && string(op.Key) == b {
				w.Evict(b)
			}
			return verbs.Reply{}, false
		}
		w.Expect("hgetall k 1 2", rows("c c", "d d")...)
	})
}

// A table that is made anew while a page is read is read anew.
func TestPagesOfATableMadeAnew(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, request := range []string{"hgetall k 1 1", "hkeys k 1 1"} {
			for range 2 {
				w.Send("remove k")
				for _, field := range []string{"a", "b", "c"} {
					w.Expect(set("k", field, field), "STORED")
				}
			}
			anchor, looked := w.Value("k"), 0
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if op.Kind == verbs.Probe {
					if looked++; looked == 1 {
						w.Instead = nil
						w.Evict("k")
						w.Put("k", "h:0123456789abcdeA ", 0, 0)
						w.Put("k:0123456789abcdeA", "+x +y +z ", 0, 0)
						w.Put("k:0123456789abcdeA=x", "x", 0, 0)
						w.Put("k:0123456789abcdeA=z", "z", 0, 0)
					}
				}
				return verbs.Reply{}, false
			}
			want := rows("z z")
			if strings.HasPrefix(request, "hkeys") {
				want = []string{"VALUE k 0 1", "z", "END"}
			}
			w.Expect(request, want...)
			if w.Value("k") == anchor {
				t.Error("the table was not made anew")
			}
		}
	})
}

// An index without fields tells nothing of the table until the anchor has been seen to have its generation still.
func TestListingsOfAnEmptyIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for request, want := range map[string][]string{
			"hkeys k": {"VALUE k 0 1", "x", "END"}, "hkeys k 0 1": {"VALUE k 0 1", "x", "END"}, "hkeys k 0 0": {"VALUE k 0 0", "", "END"},
			"hgetall k": rows("x 1"), "hgetall k 0 1": rows("x 1"), "hgetall k 0 -1": rows("x 1"), "hlen k": {"1"},
		} {
			for _, there := range []bool{true, false} {
				w.Send("remove k")
				w.Expect(set("k", "a", "1"), "STORED")
				w.Put(indexOf(w, "k"), "", 0, 0)
				w.Evict("k") // by another proxy; this one remembers the generation
				if there {
					w.Put("k", "h:0123456789abcdeA ", 0, 0)
					w.Put("k:0123456789abcdeA", "+x ", 0, 0)
					w.Put("k:0123456789abcdeA=x", "1", 0, 0)
				} else if want = []string{"END"}; request == "hlen k" {
					want = []string{"NOT_FOUND"}
				}
				w.Expect(request, want...)
			}
		}
	})
}

// A page reads its rows in the room there is, as the whole does.
func TestPagesWithoutRoom(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		var want []string
		for n := range 30 {
			value := strings.Repeat(fmt.Sprint(n%10), 10_000)
			w.Expect(set("k", fmt.Sprintf("f%d", n), value), "STORED")
			want = append(want, fmt.Sprintf("f%d %s", n, value))
		}
		w.Client.Routine.Inside().Pace.Slice = 10
		for denied := range 40 { // so many times in a row
			left := denied
			w.Client.Narrow = func() bool { left--; return left >= 0 }
			w.Expect("hgetall k 7 20", rows(want[7:27]...)...)
		}
	})
}

// A page of a few rows does not make superfluous what the index has of all others.
func TestPagesLeaveASoundIndexAlone(t *testing.T) {
	w := newWorld(t)
	w.Limit = 1 << 20
	index := verbtest.Names(1000, "+", " ") + "-m998 -m999 "
	w.Put("k", "h:0123456789abcdeA ", 0, 0)
	w.Put(indexOf(w, "k"), index, 0, 0)
	for n := range 998 {
		w.Put(rowOf(w, "k", fmt.Sprintf("m%d", n)), "1", 0, 0)
	}
	w.Settings.CompactDirtiness = 1
	w.Expect("hkeys k 2 2", "VALUE k 0 5", "m2 m3", "END")
	w.Holds(indexOf(w, "k"), index)
}

// A long answer of fields is made in turns.
func TestAnswersOfFieldsPause(t *testing.T) {
	pauses := 0
	c := newCall(&verbs.Call{Env: newWorld(t), Arguments: verbs.Arguments{Key: []byte("k")}, Pace: verbs.Pace{Slice: verbs.Block, Pause: func() { pauses++ }}})
	fields := strings.TrimSpace(verbtest.Names(5000, "", " "))
	c.tell([]byte(fields))
	if want := fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(fields), fields); string(c.Answer) != want {
		t.Errorf("answered %d bytes, expected %d", len(c.Answer), len(want))
	}
	if pauses < len(fields)/(verbs.Block*verbs.TypicalToken)-1 || pauses == 0 {
		t.Errorf("%d bytes are copied with %d pauses", len(fields), pauses)
	}
}
