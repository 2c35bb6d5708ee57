package eventlogs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// An early event shares its item with the oldest chunk that is kept. Both must be
// readable for as long as they are kept.
func TestEarlyEvent(t *testing.T) {
	for _, tick := range []int64{0, 400, 999} {
		for _, ahead := range []int64{2_000, 5_000, 9_000} {
			onBoth(t, func(t *testing.T, w *verbtest.World) {
				w.Tick = tick
				w.Clock = start + 10_000 + 777
				putLog(w, "l", 0, "old", "STORED")
				expires := w.Find("l:1").Expires

				w.Clock = start + 110_000 - ahead // the item is soon used again
				early := w.Clock + min(ahead+4_000, 10_000)
				putLog(w, "l", early, "early", "STORED")
				if i := w.Find("l:1"); i == nil || i.Expires < expires+99 || i.Expires > expires+101 {
					t.Fatalf("%d ahead: expired at %d before, at %+v now", ahead, expires, i)
				}
				fetchLog(w, "l", "old")
				fetchLog(w, "l 1 "+fmt.Sprint(early), "old", "early")
				fetchLog(w, "l 1 "+fmt.Sprint(early-1), "old")
				fetchLog(w, "l 0 9223372036854775807", "early")

				w.Clock = start + 110_000
				fetchLog(w, "l")
				fetchLog(w, "l 1 "+fmt.Sprint(early), "early")
				w.Clock = early
				putLog(w, "l", 0, "late", "STORED")
				fetchLog(w, "l", "early", "late")
				w.Clock = start + 208_000
				fetchLog(w, "l", "early", "late")
				w.Clock = start + 210_000
				fetchLog(w, "l")
				w.Clock += 1000 * overlap
				if got := w.Value("l:1"); got != "none" {
					t.Errorf("%d ahead: there is still %q", ahead, got)
				}
			})
		}
	}
}

func TestEarlyEventInFreePlace(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 5_000
		putLog(w, "l", w.Clock+8_000, "early", "STORED")
		putLog(w, "l", start-90_000+1, "NOT_STORED comes later", "STORED") // the oldest chunk, in the same item
		fetchLog(w, "l 1 9223372036854775807", "NOT_STORED comes later", "early")
		w.Clock = start + 98_000 + 9_000
		fetchLog(w, "l", "early")
	})
}

// If a proxy's clock is ahead, the first events of a chunk may find the last round's
// item, which is about to expire.
func TestFirstEventsOfChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("l:0", record(start-100_000+5, "last round"), 0, 1)
		putLog(w, "l", 0, "first", "STORED")
		w.Holds("l:0", record(start, "first"))
		w.Clock += 2000
		fetchLog(w, "l", "first")
		w.Clock = start + 98_999
		fetchLog(w, "l", "first")
	})
}

// So may later events, if the upstream has hung since the last round.
func TestEventsAfterSilence(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3000
		w.Silent = 2500
		w.Put("l:0", record(start-100_000+5, "last round"), 0, 1)
		putLog(w, "l", 0, "first", "STORED")
		w.Clock += 2000
		w.Silent = 0
		putLog(w, "l", 0, "second", "STORED")
		if !w.Old {
			w.Cost(1)
		}
		fetchLog(w, "l", "first", "second")
	})
}

// An upstream that goes on with a late clock gives the item too short a life, which is corrected
// as soon as the clock has caught up.
func TestEventsOutlastLateClock(t *testing.T) {
	for _, last := range []bool{false, true} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			if last {
				w.Put("l:0", record(start-100_000+5, "last round"), 0, 4)
			}
			w.Clock += 3000
			w.Silent = 2500
			w.Client.Start("logput l 0 0 5\r\nfirst")
			for w.Client.Busy() {
				w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
					if op.Exptime > 0 && !strings.Contains(w.Value("l:0"), "first") {
						op.Exptime -= 10
					}
					return w.Do(t, op)
				})
			}
			if got := w.Client.Answer; got != "STORED\r\n" {
				t.Fatalf("last round %v: %q", last, got)
			}
			w.Clock = start + 98_999
			fetchLog(w, "l", "first")
		})
	}
}

// An item that is renewed in every round holds the events of two rounds, not of all
// rounds.
func TestRenewedItemIsTrimmed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for round := range int64(20) {
			begins := start + 100_000*round
			for i := range int64(10) {
				w.Clock = begins + 1000*i
				putLog(w, "l", 0, strings.Repeat("x", 100), "STORED")
			}
			w.Clock = begins + 99_000
			putLog(w, "l", 3_000+w.Clock, "early", "STORED")
			if got := len(w.Value("l:0")); got > 4000 {
				t.Fatalf("round %d: %d bytes", round, got)
			}
		}
	})
}

// Trimming follows the answer, and is abandoned if another client has changed the item.
func TestTrimmingIsLetGo(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 9_000
		stale, old := record(start-200_000, "stale"), record(start-90_000, "old")
		w.Put("l:1", stale+old, 3, 1)
		early := w.Clock + 5_000
		put := fmt.Sprintf("logput l 0 %d 5\r\nearly", early)
		w.Client.Start(put)
		for w.Client.Busy() {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
				if op.Kind == verbs.Swap {
					other := verbs.Op{Kind: verbs.Append, Key: op.Key, Data: []byte(record(early, "other"))}
					w.Do(t, other)
				}
				return w.Do(t, op)
			})
		}
		if w.Client.Answer != "STORED\r\n" || w.Client.Answered < 3 {
			t.Errorf("%q after %d operations", w.Client.Answer, w.Client.Answered)
		}
		if account := w.Client.Routine.Account(); account.Tried != 1 || account.Won != 0 {
			t.Errorf("%+v", account)
		}
		w.Holds("l:1", stale+old+record(early, "early")+record(early, "other"))
		if i := w.Find("l:1"); i.Flags != 3 || i.Expires != w.Seconds()+102 {
			t.Errorf("%+v", i)
		}
	})
}

// A ring of a single chunk keeps only the events of the present chunk.
func TestRingOfOneChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.LogChunks = 1
		putLog(w, "l", 0, "a", "STORED")
		w.Clock += 5_000
		putLog(w, "l", start, "b", "STORED")
		putLog(w, "l", start-1, "c", "NOT_STORED")
		fetchLog(w, "l", "a", "b")
		putLog(w, "l", w.Clock+7_000, "early", "STORED")
		fetchLog(w, "l 1 9223372036854775807", "a", "b", "early")
		w.Clock = start + 10_000
		fetchLog(w, "l")
		w.Clock += 2_000
		fetchLog(w, "l", "early")
		putLog(w, "l", 0, "d", "STORED")
		fetchLog(w, "l", "early", "d")
	})
}

func TestSmallestRing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.LogChunk, w.Settings.LogChunks = 1000, 2
		putLog(w, "l", 0, "a", "STORED")
		w.Clock += 999
		putLog(w, "l", 0, "b", "STORED")
		fetchLog(w, "l", "a", "b")
		putLog(w, "l", w.Clock+1000, "early", "STORED")
		w.Clock += 1
		fetchLog(w, "l", "a", "b")
		putLog(w, "l", 0, "c", "STORED")
		fetchLog(w, "l 1 9223372036854775807", "a", "b", "c", "early")
		w.Clock += 999
		fetchLog(w, "l", "a", "b", "c", "early")
		w.Clock++
		fetchLog(w, "l", "c", "early")
	})
}

// Times around the epoch are ordinary times.
func TestLogAtTheEpoch(t *testing.T) {
	for _, now := range []int64{0, 1, -1, 9_999, 10_000, -10_000, -10_001, 35_000, -35_000} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			w.Clock = now + 1500 // a chunk may just have begun at now
			putLog(w, "l", 0, "b", "STORED")
			putLog(w, "l", -40_000, "a", "STORED")
			fetchLog(w, "l", "a", "b")
			fetchLog(w, "l -39999", "b")
			for _, key := range w.Keys() {
				if key < "l:0" || key > "l:9" || len(key) != 3 {
					t.Errorf("an item %q", key)
				}
			}
			w.Clock += 49_000
			fetchLog(w, "l", "a", "b")
		})
	}
}
