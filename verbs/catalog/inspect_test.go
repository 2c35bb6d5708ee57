package catalog

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func init() { format.Register(&verbtest.PileKind) } // beside the kinds that there are

// inspected compares what is told of key, of which want gives the figures, and sees that
// all items stay as they are.
func inspected(w *verbtest.World, key, want string) {
	w.T.Helper()
	before := items(w)
	got := strings.Join(verbtest.Lines(w.Send("inspect "+key)), ", ")
	if want := strings.ReplaceAll("STAT "+want+", upstream model", ", ", ", STAT ") + ", END"; got != want {
		w.T.Errorf("%s at %d:\n got %s\nwant %s", key, w.Clock, got, want)
	}
	if !reflect.DeepEqual(items(w), before) {
		w.T.Errorf("to inspect %s has changed something: %q", key, w.Keys())
	}
}

// items returns a copy of all items.
func items(w *verbtest.World) map[string]verbtest.Item {
	all := map[string]verbtest.Item{}
	for _, key := range w.Keys() {
		all[key] = *w.Find(key)
	}
	return all
}

// largeSet makes k a set of several segments, some of several parts, and returns what is
// told of it.
func largeSet(w *verbtest.World) string {
	w.Settings.StructureItemSize, w.Limit = 600, 600
	for n := range 20 {
		w.Expect("sadd k "+verbtest.Names(30, fmt.Sprintf("n%d", n), " "), "STORED")
	}
	w.Expect("srem k n3m4", "STORED")
	head := w.Value("k")
	parts, _ := format.PartKeys([]byte("k"), []byte(head))
	segments, bytes := strings.Count(head, "@"), len(head)
	for _, key := range parts {
		bytes += len(w.Value(key))
	}
	if segments < 2 || len(parts) <= segments {
		w.T.Fatalf("%d segments of %d parts: %q", segments, len(parts), head)
	}
	return fmt.Sprintf("kind set, members 599, dead_tokens 2, head_bytes %d, segments %d, parts %d, bytes %d, seconds_to_live -1",
		len(head), segments, len(parts), bytes)
}

// fillLog puts events into the log l until this chunk takes so many items of ten.
func fillLog(w *verbtest.World, items int) {
	w.Limit = 1100
	event := strings.Repeat(".", 84)
	for range 10 * items {
		w.Expect("logput l 0 0 84\r\n"+event, "STORED")
	}
}

func TestInspectSets(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Expect("sadd k a b", "STORED")
	w.Expect("srem k a", "STORED")
	inspected(w, "k", "kind set, members 1, dead_tokens 2, head_bytes 9, segments 0, parts 0, bytes 9, seconds_to_live -1")
	w.Cost(1)
	w.Put("k", "", 0, 100)
	inspected(w, "k", "kind set, members 0, dead_tokens 0, head_bytes 0, segments 0, parts 0, bytes 0, seconds_to_live 100")
	longest := strings.Repeat("k", 250)
	w.Expect("sadd "+longest+" a", "STORED")
	inspected(w, longest, "kind set, members 1, dead_tokens 0, head_bytes 3, segments 0, parts 0, bytes 3, seconds_to_live -1")
}

func TestInspectLargeSet(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		want := largeSet(w)
		inspected(w, "k", want)
		parts, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
		w.Cost(1 + len(parts))
		w.Evict(parts[len(parts)-1])
		w.Expect("inspect k", "NOT_FOUND")
		w.Holds("k", "none")
		if len(w.Lost) != 1 {
			t.Errorf("lost: %q", w.Lost)
		}
	})
}

// What has expired is told as superfluous ten seconds later.
func TestInspectRanking(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		w.Expect("zadd k 5 a", "STORED")
		w.Expect("zincrbyp k 1 a 1 b 2", "6 1")
		for _, want := range []struct {
			after         int64
			members, dead int
		}{{0, 2, 0}, {2000, 1, 0}, {10_000, 1, 2}} {
			w.Clock += want.after
			inspected(w, "k", fmt.Sprintf("kind ranking, members %d, dead_tokens %d, head_bytes 40, segments 0, parts 0, bytes 40, seconds_to_live -1", want.members, want.dead))
		}
	})
}

// An order has one token, and what is remembered of it makes two of that: no tokens are superfluous,
// not fewer than none.
func TestInspectOrder(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		w.Put("k", fmt.Sprintf("z>AAAAAAAAAAAAAAAA.1.%d.5:a ", w.Clock), 0, 0)
		inspected(w, "k", "kind ranking, members 1, dead_tokens 0, head_bytes 39, segments 0, parts 0, bytes 39, seconds_to_live -1")
	})
}

// Of a queue, contents are not told of: their items are the tasks'.
func TestInspectQueue(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		for _, id := range []string{"a", "b", "c"} {
			w.Expect("taskput k "+id+" 0 0 5\r\nhello", "STORED")
		}
		w.Send("tasktake k 30")
		w.Expect("taskdrop k a", "DELETED")
		bytes := len(w.Value("k"))
		inspected(w, "k", fmt.Sprintf("kind queue, members 2, dead_tokens 3, head_bytes %d, segments 0, parts 0, bytes %[1]d, seconds_to_live -1", bytes))
	})
}

// What is told from a view is the same, also after it was extended.
func TestInspectView(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Kept = views.Eager([]byte("k"))
	inspected := func(want string) {
		t.Helper()
		inspected(w, "k", want)
		if !w.Kept.Keeps("k") {
			t.Error("there is no view")
		}
		inspected(w, "k", want)
		w.Cost(1)
	}
	inspected(largeSet(w))
	w.Evict("k")
	w.Expect("sadd k a", "STORED")
	inspected("kind set, members 1, dead_tokens 0, head_bytes 3, segments 0, parts 0, bytes 3, seconds_to_live -1")
	w.Expect("sadd k b", "STORED")
	inspected("kind set, members 2, dead_tokens 0, head_bytes 6, segments 0, parts 0, bytes 6, seconds_to_live -1")
	w.Put("k", "y+a y+a ", 0, 9) // and of another kind than it was
	inspected("kind pile, members 2, dead_tokens 0, head_bytes 8, segments 0, parts 0, bytes 8, seconds_to_live 9")
}

// A read that is worth compacting after would be; one that inspects is not.
func TestInspectDoesNotCompact(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Settings.CompactDirtiness = 2
	w.Put("k", "+a +a +b -b +c ", 0, 0)
	inspected(w, "k", "kind set, members 2, dead_tokens 3, head_bytes 15, segments 0, parts 0, bytes 15, seconds_to_live -1")
	w.Expect("scard k", "2")
	w.Holds("k", "+a +c ")
}

// The head says of which kind a structure is, and not the order of the kinds.
func TestInspectOtherKinds(t *testing.T) {
	const id = "AAAAAAAAAAAAAAAA"
	w := verbtest.NewWorld(t, list)
	w.Put("k", "y+a y+a +b ", 0, 0)
	inspected(w, "k", "kind pile, members 2, dead_tokens 1, head_bytes 11, segments 0, parts 0, bytes 11, seconds_to_live -1")
	w.Put("k", "@"+id+":2:12:y y+c ", 0, 0)
	w.Put("k:"+id+".0", "y+a y+", 0, 0)
	w.Put("k:"+id+".1", "b y+d ", 0, 0)
	inspected(w, "k", "kind pile, members 4, dead_tokens 0, head_bytes 29, segments 1, parts 2, bytes 41, seconds_to_live -1")
	w.Cost(3)
	w.Put("k", "q+a ", 0, 0)
	inspected(w, "k", "kind plain, head_bytes 4, bytes 4, seconds_to_live -1")
	w.Put("k", "@"+id+":2:12:q q+c ", 0, 0)
	delete(w.Items, "k:"+id+".1")
	for _, read := range []string{"inspect k", "smembers k", "lrange k", "zget k m", "tasktake k 1"} { // and none deletes it, though a part is missing
		w.Expect(read, "CLIENT_ERROR k holds a structure of the kind 'q', which this version of memverbs does not know")
	}
	w.Holds("k", "@"+id+":2:12:q q+c ")
	w.Put("k:"+id+".0", "y+a y+", 0, 0)
	w.Put("k:"+id+".1", "b y+d ", 0, 0)
	w.Expect("inspect k", "CLIENT_ERROR k holds a structure of the kind 'q', which this version of memverbs does not know")
	w.Put("k", "@"+id+":2:12 hello", 0, 0)
	w.Expect("inspect k", "CLIENT_ERROR k does not hold a set")
}

func TestInspectPlainItem(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	for _, value := range []string{"hello", "+a b", "@hello", "yes", "y+a b", "y: yes"} {
		w.Put("k", value, 3, 50)
		inspected(w, "k", fmt.Sprintf("kind plain, head_bytes %d, bytes %[1]d, seconds_to_live 50", len(value)))
		w.Cost(1)
	}
}

func TestInspectLock(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Expect("lock k alice 30", "STORED")
	inspected(w, "k", "kind lock, token alice, bytes 8, seconds_to_live 32")
	w.Cost(1)
	w.Expect("sadd k a", "STORED") // by mistake
	inspected(w, "k", "kind lock, token alice, bytes 11, seconds_to_live 32")
	w.Put("k", "x:alice", 0, 0)
	inspected(w, "k", "kind plain, head_bytes 7, bytes 7, seconds_to_live -1")
}

// Of a lock of several holders, all who hold it are told, also where the first place is free.
func TestInspectPlaces(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	for _, token := range []string{"a", "b", "c"} {
		w.Expect("lock k "+token+" 30 3", "STORED")
	}
	tokens := map[int]string{}
	for place, key := range []string{"", "k", "k:place:2", "k:place:3"} {
		if place > 0 {
			tokens[place] = strings.TrimSpace(strings.TrimPrefix(w.Value(key), "x/3:"))
		}
	}
	inspected(w, "k", fmt.Sprintf("kind lock, holders 3, place_1 %s, place_2 %s, place_3 %s, bytes 18, seconds_to_live 32", tokens[1], tokens[2], tokens[3]))
	w.Expect("unlock k "+tokens[1], "DELETED")
	w.Expect("relock k "+tokens[3]+" 60", "STORED")
	inspected(w, "k", fmt.Sprintf("kind lock, holders 3, place_2 %s, place_3 %s, bytes 12, seconds_to_live 62", tokens[2], tokens[3]))
	w.Expect("lock k plain 10", "STORED") // a lock of one holder takes part, and tells of no others
	inspected(w, "k", "kind lock, token plain, bytes 8, seconds_to_live 12")
}

// Of a limit it tells what counts, and when that is free again, as limit itself does; but it adds nothing.
func TestInspectLimit(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Clock = 1_700_000_000_000 // a part begins
	w.Expect("inspect k 3 16", "NOT_FOUND")
	w.Cost(18)
	w.Expect("limit k 3 16", "1 2 0")
	w.Clock += 2000
	w.Expect("limit k 3 16", "1 1 0")
	limited := func(request, want string) {
		t.Helper()
		before := items(w)
		got := strings.Join(verbtest.Lines(w.Send(request)), ", ")
		if want := strings.ReplaceAll("STAT kind limit, "+want+", upstream model", ", ", ", STAT ") + ", END"; got != want {
			t.Errorf("%s:\n got %s\nwant %s", request, got, want)
		}
		if !reflect.DeepEqual(items(w), before) {
			t.Errorf("%s has changed something", request)
		}
	}
	limited("inspect k 3 16", "count 3, counted 2, left 1, next_free_ms 0, all_free_ms 17000, parts 2, bytes 2, seconds_to_live 20")
	w.Expect("limit k 3 16", "1 0 0")
	w.Expect("limit k 3 16 0", "0 0 15000")
	limited("inspect k 3 16", "count 3, counted 3, left 0, next_free_ms 15000, all_free_ms 17000, parts 2, bytes 2, seconds_to_live 20")
	limited("inspect k 2 16", "count 2, counted 3, left 0, next_free_ms 17000, all_free_ms 17000, parts 2, bytes 2, seconds_to_live 20")
	w.Expect("inspect k 3 60", "NOT_FOUND") // another limit
	w.Expect("inspect k", "NOT_FOUND")
	w.Clock += 15_000
	limited("inspect k 3 16", "count 3, counted 2, left 1, next_free_ms 0, all_free_ms 2000, parts 1, bytes 1, seconds_to_live 5")
	w.Expect("limit k 3 16 0", "1 1 0")
	w.Clock += 2000
	w.Expect("inspect k 3 16", "NOT_FOUND")
	w.Expect("limit k 3 16", "1 2 0")
	for _, key := range w.Keys() {
		w.Put(key, "many", 0, 0)
	}
	if got := w.Send("inspect k 3 16"); got != "CLIENT_ERROR one of the counters of k, k:limit:16:…, holds no number\r\n" {
		t.Errorf("%q", got)
	}
	verbtest.FailEach(t, list, "inspect k 3 16", func(w *verbtest.World) { w.Expect("limit k 3 16", "1 2 0") })
}

// Of limits and event logs that have been at another server, inspect tells what is at either.
func TestInspectFormerPlaces(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Clock = 1_700_000_000_000 // a part begins
	w.Expect("limit k 3 16", "1 2 0")
	w.Expect("logput l 0 0 3\r\none", "STORED")
	w.Leave()
	if got := w.Send("inspect k 3 16"); !strings.Contains(got, "STAT counted 1\r\nSTAT left 2\r\nSTAT next_free_ms 0\r\nSTAT all_free_ms 17000\r\nSTAT parts 1\r\n") {
		t.Errorf("%q", got)
	}
	w.Expect("limit k 3 16", "1 1 0")
	w.Clock += 1000
	w.Expect("limit k 3 16", "1 0 0")
	if got := w.Send("inspect k 3 16"); !strings.Contains(got, "STAT counted 3\r\nSTAT left 0\r\nSTAT next_free_ms 16000\r\nSTAT all_free_ms 17000\r\nSTAT parts 3\r\n") {
		t.Errorf("%q", got)
	}
	inspected(w, "l", "kind eventlog, members 1, dead_tokens 0, parts 1, bytes 24, seconds_to_live 112")
	w.Expect("logput l 0 0 3\r\ntwo", "STORED")
	inspected(w, "l", "kind eventlog, members 2, dead_tokens 0, parts 2, bytes 48, seconds_to_live 113")
}

func TestInspectNothing(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		w.Expect("inspect k", "NOT_FOUND")
		w.Cost(1 + 2*11 + 100)                                     // the item, the first two of each chunk, and the places of a lock
		w.Expect("inspect "+strings.Repeat("k", 230), "NOT_FOUND") // no log has such a name, nor a lock of several holders
		w.Cost(1)
	})
}

func TestInspectEventLog(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3_000
		fillLog(w, 12) // the third items and more are asked for eight at a time
		inspected(w, "l", "kind eventlog, members 120, dead_tokens 0, parts 12, bytes 12720, seconds_to_live 113")
		w.Clock += 10_000
		w.Expect("logput l 0 0 3\r\nnow", "STORED")
		w.Expect("logput l 0 1700000020000 5\r\nearly", "STORED") // of the next chunk
		inspected(w, "l", "kind eventlog, members 122, dead_tokens 0, parts 14, bytes 12770, seconds_to_live 113")
		w.Expect("sadd l a", "STORED") // what is under the key itself comes first
		inspected(w, "l", "kind set, members 1, dead_tokens 0, head_bytes 3, segments 0, parts 0, bytes 3, seconds_to_live -1")
		w.Evict("l")
		w.Find("l:170000001+1").Expires = verbtest.Never // as somebody may have touched it
		inspected(w, "l", "kind eventlog, members 122, dead_tokens 0, parts 14, bytes 12770, seconds_to_live -1")
		w.Put("l:169999995+1", "hello", 0, 0)
		w.Expect("inspect l", "CLIENT_ERROR l:169999995+1 does not hold events of a log")
	})
}

// An event that a clock has put too far into the future can't be fetched.
func TestInspectEventsOfTheFuture(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Ahead = 11_000
	w.Expect("logput l 0 0 3\r\nfar", "STORED")
	w.Ahead = 0
	w.Expect("logput l 0 0 3\r\nnow", "STORED")
	inspected(w, "l", "kind eventlog, members 1, dead_tokens 1, parts 2, bytes 48, seconds_to_live 113")
	w.Clock += 1_000
	inspected(w, "l", "kind eventlog, members 2, dead_tokens 0, parts 2, bytes 48, seconds_to_live 112")
	w.Clock += 112_000
	w.Expect("inspect l", "NOT_FOUND")
}

// A log may be longer than what can be fetched of it at once, and takes no more room.
func TestInspectLongEventLog(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Direct = true
	const size = 900_000
	event := fmt.Sprintf("1700000000000 0 %d\r\n%s\r\n", size, strings.Repeat("x", size))
	for n := range 40 {
		w.Put(fmt.Sprintf("l:170000000+%d", n+1), event, 0, 100)
	}
	w.Expect("logfetch l", verbs.TooMuch)
	want := fmt.Sprintf("kind eventlog, members 40, dead_tokens 0, parts 40, bytes %d, seconds_to_live 100", 40*len(event))
	inspected(w, "l", want)
	for denied := range 4 { // so many times in a row
		left := denied
		w.Client.Narrow = func() bool { left--; return left >= 0 }
		inspected(w, "l", want)
		if room := w.Client.Routine.Reserved(); room > verbs.MaxAnswer {
			t.Errorf("after %d denials it takes room for %d bytes", denied, room)
		}
	}
}

// Where there is no room for what was read at once, the same is told.
func TestInspectWithoutRoom(t *testing.T) {
	verbtest.OnBoth(t, list, func(t *testing.T, w *verbtest.World) {
		want := map[string]string{"k": largeSet(w)}
		fillLog(w, 12)
		want["l"] = "kind eventlog, members 120, dead_tokens 0, parts 12, bytes 12720, seconds_to_live 113"
		w.Put("p", verbtest.Names(900, "y+", " "), 0, 0)
		want["p"] = "kind pile, members 900, dead_tokens 0, head_bytes 6190, segments 0, parts 0, bytes 6190, seconds_to_live -1"
		w.Client.Routine.Inside().Pace.Slice = 100
		for denied := range 8 { // so many times in a row
			for key, want := range want {
				left := denied
				w.Client.Narrow = func() bool { left--; return left >= 0 }
				inspected(w, key, want)
			}
		}
	})
}

func TestInspectTellsEveryFailure(t *testing.T) {
	verbtest.FailEach(t, list, "inspect k", func(*verbtest.World) {})
	verbtest.FailEach(t, list, "inspect k", func(w *verbtest.World) { largeSet(w) })
	verbtest.FailEach(t, list, "inspect l", func(w *verbtest.World) { fillLog(w, 3) })
	verbtest.ReplySenselessly(t, list, []string{"inspect k"})
}

func TestInspectDoesNotSpin(t *testing.T) {
	verbtest.Interfere(t, list, []string{"inspect k"}, func(r *rand.Rand, key string) string {
		if key != "k" {
			return "1700000000000 0 1\r\nx\r\n"
		}
		return []string{"", "+a ", "y+a ", "hello"}[r.IntN(4)]
	})
}

// A log is described in parts, however long it is.
func TestInspectLongLog(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	w.Limit, w.Direct = 2<<20, true
	w.Settings.LogChunks = 20
	w.Clock += 500
	event := strings.Repeat("e", 1_100_000)
	for range 16 {
		w.Clock += 10_000
		for range 2 {
			w.Expect(fmt.Sprintf("logput l 0 0 %d\r\n%s", len(event), event), "STORED")
		}
	}
	if got := w.Send("inspect l"); !strings.Contains(got, "\r\nSTAT members 32\r\n") {
		t.Errorf("%.300q", got)
	}
}
