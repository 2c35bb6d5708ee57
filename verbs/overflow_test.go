package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// numbered is an event of about 100 bytes that bears a number.
func numbered(i int) string { return fmt.Sprintf("%04d%s", i, strings.Repeat(".", 80)) }

// numbers returns the data of the first n numbered events.
func numbers(n int) (data []string) {
	for i := range n {
		data = append(data, numbered(i))
	}
	return data
}

func TestOverflowItems(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.now += 3_000
		w.limit = 1100 // ten events
		for n := 1; n <= 200; n++ {
			w.putLog("l", 0, numbered(n-1), "STORED")
			if n%7 == 0 || n < 30 {
				w.fetchLog("l", numbers(n)...)
			}
		}
		if got := len(w.keys()); got != 20 {
			t.Errorf("%d items: %q", got, w.keys())
		}
		for _, key := range []string{"l:0", "l:170000000+1", "l:170000000+19"} {
			if i := w.find(key); i == nil || i.expires-w.seconds() != 97 || len(i.value) > w.limit {
				t.Errorf("%s: %+v", key, i)
			}
		}
		w.now += 90_000
		w.fetchLog("l", numbers(200)...)
		w.now += 7_000
		if keys := w.keys(); len(keys) != 0 {
			t.Errorf("%q", keys)
		}
	})
}

func TestChunkIsFull(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.now += 3_000
		w.limit = 1100
		const want = "SERVER_ERROR l is full: this stretch of 10 s takes more than 65 items; use a shorter --log-chunk"
		all := 10 * (1 + maxOverflow)
		for i := range all {
			w.putLog("l", 0, numbered(i), "STORED")
		}
		w.putLog("l", 0, numbered(all), want)
		w.putLog("l", 0, numbered(all), want)
		w.fetchLog("l", numbers(all)...)
		w.now += 10_000
		w.putLog("l", 0, numbered(all), "STORED")
		w.fetchLog("l", numbers(all+1)...)
	})
}

func TestEventTooLarge(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 1100
		for i, size := range []int{0, 2_000} { // at the turn of a chunk, and later
			w.now = start + int64(size)
			w.putLog("l", 0, fmt.Sprint(i), "STORED")
			w.putLog("l", 0, strings.Repeat("x", 1100), "SERVER_ERROR object too large for cache")
		}
		w.putLog("m", 0, strings.Repeat("x", 1100), "SERVER_ERROR object too large for cache")
		w.fetchLog("l", "0", "1")
		w.fetchLog("m")
	})
}

// One event fills an item.
func TestLargeEvents(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 10_000
		w.now += 2_000
		var want []string
		for i := range 25 {
			want = append(want, numbered(i)+strings.Repeat("\r\n", 4_900))
			w.putLog("l", 0, want[i], "STORED")
		}
		w.fetchLog("l", want...)
	})
}

// Two rounds never share a overflow item, and neither does an early event with
// the oldest chunk.
func TestOverflowItemsOfTwoRounds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 1100
		w.now += 5_000
		for i := range 40 {
			w.putLog("l", 0, numbered(i), "STORED")
		}
		w.now = start + 94_000
		for i := range 40 {
			w.putLog("l", start+102_000, numbered(40+i), "STORED")
		}
		w.fetchLog("l", numbers(40)...)
		w.fetchLog("l 1 9223372036854775807", numbers(80)...)
		w.now = start + 102_000
		w.fetchLog("l", numbers(80)[40:]...)
		w.now = start + 190_000
		w.fetchLog("l", numbers(80)[40:]...)
	})
}

// After an eviction the next event goes where it is found.
func TestOverflowItemEvicted(t *testing.T) {
	for _, evicted := range []int{0, 1, 2, 8, 9, 10, 16, 17, 19} {
		onBoth(t, func(t *testing.T, w *world) {
			w.limit = 1100
			w.now += 5_000
			for i := range 200 {
				w.putLog("l", 0, numbered(i), "STORED")
			}
			if w.evict("l:0"); evicted > 0 {
				w.evict(fmt.Sprintf("l:170000000+%d", evicted))
			}
			for i := range 25 {
				w.putLog("l", w.now+1, numbered(200+i), "STORED")
			}
			got := parseFetch(t, w.send("logfetch l 0 9223372036854775807"))
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

// Where the upstream takes very long items, an item that has become long gets one
// more event from everybody who has not seen that yet, and none from the others.
func TestLongItemsAreLeft(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 64 << 20
		w.now += 3_000
		event := strings.Repeat("e", 100_000)
		var want []string
		put := func(times int) {
			for range times {
				want = append(want, event)
				w.putLog("l", 0, event, "STORED")
			}
		}
		put(50)
		for n := range 4 { // each has 11 events, the last of which makes it long
			key := "l:0"
			if n > 0 {
				key = fmt.Sprintf("l:170000000+%d", n)
			}
			if got := len(w.items[key].value); got <= longItem || got > longItem+len(event)+100 {
				t.Errorf("%s is %d bytes long", key, got)
			}
		}
		w.fetchLog("l", want...)
		clear(w.outgrown) // this is another proxy
		put(20)
		w.fetchLog("l", want...)
		w.evict("l:170000000+1") // and with it, eleven events
		want = append(want[:11], want[22:]...)
		put(1)
		if w.find("l:170000000+1") == nil {
			t.Error("the gap was not filled, so that what is behind it can't be found")
		}
	})
}

// That an item is long does not concern the next round, which uses its key again.
func TestLongItemOfAnotherRound(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 64 << 20
		w.now += 3_000
		w.putLog("l", 0, strings.Repeat("e", longItem), "STORED")
		w.now += 100_000
		w.putLog("l", 0, "next", "STORED")
		if w.find("l:0") == nil {
			t.Errorf("the event is in %q", w.keys())
		}
		w.fetchLog("l", "next")
	})
}
