package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// The place of an early event is taken by the oldest chunk that is kept: both
// must be there for as long as they are kept.
func TestEarlyEvent(t *testing.T) {
	for _, tick := range []int64{0, 400, 999} {
		for _, ahead := range []int64{2_000, 5_000, 9_000} {
			onBoth(t, func(t *testing.T, w *world) {
				w.tick = tick
				w.now = start + 10_000 + 777
				w.putLog("l", 0, "old", "STORED")
				expires := w.find("l:1").expires

				w.now = start + 110_000 - ahead // the place is used again in a moment
				early := w.now + min(ahead+4_000, 10_000)
				w.putLog("l", early, "early", "STORED")
				if i := w.find("l:1"); i == nil || i.expires < expires+99 || i.expires > expires+101 {
					t.Fatalf("%d ahead: expired at %d before, at %+v now", ahead, expires, i)
				}
				w.fetchLog("l", "old")
				w.fetchLog("l 1 "+fmt.Sprint(early), "old", "early")
				w.fetchLog("l 1 "+fmt.Sprint(early-1), "old")
				w.fetchLog("l 0 9223372036854775807", "early")

				w.now = start + 110_000
				w.fetchLog("l")
				w.fetchLog("l 1 "+fmt.Sprint(early), "early")
				w.now = early
				w.putLog("l", 0, "late", "STORED")
				w.fetchLog("l", "early", "late")
				w.now = start + 208_000
				w.fetchLog("l", "early", "late")
				w.now = start + 210_000
				w.fetchLog("l")
				if got := w.value("l:1"); got != "none" {
					t.Errorf("%d ahead: there is still %q", ahead, got)
				}
			})
		}
	}
}

func TestEarlyEventInFreePlace(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.now += 5_000
		w.putLog("l", w.now+8_000, "early", "STORED")
		w.putLog("l", start-90_000+1, "NOT_STORED comes later", "STORED") // the oldest chunk, same place
		w.fetchLog("l 1 9223372036854775807", "NOT_STORED comes later", "early")
		w.now = start + 98_000 + 9_000
		w.fetchLog("l", "early")
	})
}

// The first events of a chunk may find the last round's item about to expire,
// when a proxy is ahead of others.
func TestFirstEventsOfChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.put("l:0", record(start-100_000+5, "last round"), 0, 1)
		w.putLog("l", 0, "first", "STORED")
		w.holds("l:0", record(start, "first"))
		w.now += 2000
		w.fetchLog("l", "first")
		w.now = start + 98_999
		w.fetchLog("l", "first")
	})
}

// An item that is renewed in every round holds the events of two rounds, not
// of all.
func TestRenewedItemIsTrimmed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for round := range int64(20) {
			begins := start + 100_000*round
			for i := range int64(10) {
				w.now = begins + 1000*i
				w.putLog("l", 0, strings.Repeat("x", 100), "STORED")
			}
			w.now = begins + 99_000
			w.putLog("l", 3_000+w.now, "early", "STORED")
			if got := len(w.value("l:0")); got > 4000 {
				t.Fatalf("round %d: %d bytes", round, got)
			}
		}
	})
}

// Trimming comes behind the answer, and is let go where somebody else was
// faster.
func TestTrimmingIsLetGo(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.now += 9_000
		stale, old := record(start-200_000, "stale"), record(start-90_000, "old")
		w.put("l:1", stale+old, 3, 1)
		early := w.now + 5_000
		put := fmt.Sprintf("logput l 0 %d 5\r\nearly", early)
		w.client.start(put)
		for w.client.busy() {
			w.client.carryOut(0, func(op Op) Reply {
				if op.Kind == Swap {
					other := Op{Kind: Append, Key: op.Key, Data: []byte(record(early, "other"))}
					w.do(t, other)
				}
				return w.do(t, op)
			})
		}
		if w.client.answer != "STORED\r\n" || w.client.answered < 3 {
			t.Errorf("%q after %d operations", w.client.answer, w.client.answered)
		}
		if account := w.client.routine.Account(); account.Tried != 1 || account.Won != 0 {
			t.Errorf("%+v", account)
		}
		w.holds("l:1", stale+old+record(early, "early")+record(early, "other"))
		if i := w.find("l:1"); i.flags != 3 || i.expires != w.seconds()+101 {
			t.Errorf("%+v", i)
		}
	})
}

// A ring of a single chunk keeps what the present chunk holds, and nothing for
// sure.
func TestRingOfOneChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.options.LogChunks = 1
		w.putLog("l", 0, "a", "STORED")
		w.now += 5_000
		w.putLog("l", start, "b", "STORED")
		w.putLog("l", start-1, "c", "NOT_STORED")
		w.fetchLog("l", "a", "b")
		w.putLog("l", w.now+7_000, "early", "STORED")
		w.fetchLog("l 1 9223372036854775807", "a", "b", "early")
		w.now = start + 10_000
		w.fetchLog("l")
		w.now += 2_000
		w.fetchLog("l", "early")
		w.putLog("l", 0, "d", "STORED")
		w.fetchLog("l", "early", "d")
	})
}

func TestSmallestRing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.options.LogChunk, w.options.LogChunks = 1000, 2
		w.putLog("l", 0, "a", "STORED")
		w.now += 999
		w.putLog("l", 0, "b", "STORED")
		w.fetchLog("l", "a", "b")
		w.putLog("l", w.now+1000, "early", "STORED")
		w.now += 1
		w.fetchLog("l", "a", "b")
		w.putLog("l", 0, "c", "STORED")
		w.fetchLog("l 1 9223372036854775807", "a", "b", "c", "early")
		w.now += 999
		w.fetchLog("l", "a", "b", "c", "early")
		w.now++
		w.fetchLog("l", "c", "early")
	})
}

// The epoch is a time like others.
func TestLogAtTheEpoch(t *testing.T) {
	for _, now := range []int64{0, 1, -1, 9_999, 10_000, -10_000, -10_001, 35_000, -35_000} {
		onBoth(t, func(t *testing.T, w *world) {
			w.now = now + 1500 // a chunk may just have begun at now
			w.putLog("l", 0, "b", "STORED")
			w.putLog("l", -40_000, "a", "STORED")
			w.fetchLog("l", "a", "b")
			w.fetchLog("l -39999", "b")
			for _, key := range w.keys() {
				if key < "l:0" || key > "l:9" || len(key) != 3 {
					t.Errorf("an item %q", key)
				}
			}
			w.now += 49_000
			w.fetchLog("l", "a", "b")
		})
	}
}
