package eventlogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// numbered returns an event of about 100 bytes that contains a number.
func numbered(i int) string { return fmt.Sprintf("%04d%s", i, strings.Repeat(".", 80)) }

// numbers returns the data of the first n numbered events.
func numbers(n int) (data []string) {
	for i := range n {
		data = append(data, numbered(i))
	}
	return data
}

func TestManyItems(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3_000
		w.Limit = 1100 // ten events
		for n := 1; n <= 200; n++ {
			putLog(w, "l", 0, numbered(n-1), "STORED")
			if n%7 == 0 || n < 30 {
				fetchLog(w, "l", numbers(n)...)
			}
		}
		if got := len(w.Keys()); got != 20 {
			t.Errorf("%d items: %q", got, w.Keys())
		}
		for _, key := range []string{"l:170000000+1", "l:170000000+2", "l:170000000+20"} {
			if i := w.Find(key); i == nil || i.Expires-w.Seconds() != 110+spare || len(i.Value) > w.Limit {
				t.Errorf("%s: %+v", key, i)
			}
		}
		w.Clock += 90_000
		fetchLog(w, "l", numbers(200)...)
		w.Clock += 20_000 + 1000*spare
		if keys := w.Keys(); len(keys) != 0 {
			t.Errorf("%q", keys)
		}
	})
}

func TestChunkIsFull(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3_000
		w.Limit = 1100
		const want = "SERVER_ERROR l is full: this stretch of 10 s takes more than 64 items; use a shorter --log-chunk"
		all := 10 * maxItems
		for i := range all {
			putLog(w, "l", 0, numbered(i), "STORED")
		}
		putLog(w, "l", 0, numbered(all), want)
		putLog(w, "l", 0, numbered(all), want)
		if !slices.Equal(w.Full, []string{"l", "l"}) {
			t.Errorf("reported as full: %q", w.Full)
		}
		fetchLog(w, "l", numbers(all)...)
		w.Clock += 10_000
		putLog(w, "l", 0, numbered(all), "STORED")
		fetchLog(w, "l", numbers(all+1)...)
	})
}

func TestEventTooLarge(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 1100
		for i, size := range []int{0, 2_000} { // at the start of a chunk, and later
			w.Clock = start + int64(size)
			putLog(w, "l", 0, fmt.Sprint(i), "STORED")
			putLog(w, "l", 0, strings.Repeat("x", 1100), "SERVER_ERROR object too large for cache")
		}
		putLog(w, "m", 0, strings.Repeat("x", 1100), "SERVER_ERROR object too large for cache")
		fetchLog(w, "l", "0", "1")
		fetchLog(w, "m")
	})
}

// One event fills an item.
func TestLargeEvents(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 10_000
		w.Clock += 2_000
		var want []string
		for i := range 25 {
			want = append(want, numbered(i)+strings.Repeat("\r\n", 4_900))
			putLog(w, "l", 0, want[i], "STORED")
		}
		fetchLog(w, "l", want...)
	})
}

// After an eviction the next event is stored where readers find it.
func TestItemEvicted(t *testing.T) {
	for _, evicted := range []int{1, 2, 3, 9, 10, 11, 17, 18, 20} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			w.Limit = 1100
			w.Clock += 5_000
			for i := range 200 {
				putLog(w, "l", 0, numbered(i), "STORED")
			}
			w.Evict("l:170000000+1")
			w.Evict(fmt.Sprintf("l:170000000+%d", evicted))
			for i := range 25 {
				putLog(w, "l", w.Clock+1, numbered(200+i), "STORED")
			}
			got := parseFetch(t, w.Send("logfetch l 0 9223372036854775807"))
			if len(got) < 25 {
				t.Fatalf("%d events", len(got))
			}
			for i, e := range got[len(got)-25:] {
				if e.data[:4] != fmt.Sprintf("%04d", 200+i) {
					t.Errorf("event %d from the end is %.4q", i, e.data)
				}
			}
		})
	}
}

// If the upstream allows very long items, a long item gets at most one more event from
// each proxy that does not know its length, and none from the others.
func TestLongItemsAreLeft(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 64 << 20
		w.Clock += 3_000
		event := strings.Repeat("e", 100_000)
		var want []string
		put := func(times int) {
			for range times {
				want = append(want, event)
				putLog(w, "l", 0, event, "STORED")
			}
		}
		put(50)
		for n := range 4 { // each has 11 events, the last of which makes it long
			key := fmt.Sprintf("l:170000000+%d", n+1)
			if got := len(w.Items[key].Value); got <= longItem || got > longItem+len(event)+100 {
				t.Errorf("%s is %d bytes long", key, got)
			}
		}
		fetchLog(w, "l", want...)
		clear(w.Long) // as another proxy
		put(20)
		fetchLog(w, "l", want...)
		w.Evict("l:170000000+2") // with eleven events
		want = append(want[:11], want[22:]...)
		put(1)
		if w.Find("l:170000000+2") == nil {
			t.Error("the gap was not filled, so that what is behind it can't be found")
		}
	})
}

// A chunk may be longer than an answer. It is read in parts then.
func TestLongChunkIsReadInParts(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Limit, w.Direct = 1<<20, true
	event := strings.Repeat("e", 1_000_000)
	for range 34 { // more than 32 MB
		w.Clock += 10
		putLog(w, "l", 0, event, "STORED")
	}
	w.Clock += 10
	putLog(w, "l", 0, "last", "STORED")
	fetchLog(w, "l 0 0", "last")
	if got := w.Send("logfetch l"); !strings.HasPrefix(got, "SERVER_ERROR the answer is longer than 32 MB") {
		t.Errorf("the whole log: %.100q", got)
	}
}
