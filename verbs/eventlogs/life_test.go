package eventlogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Every event is kept for as long as is promised, whenever memcached's clock ticks; the item of one that is
// put in time is not kept much longer.
func TestLogKeepsItsPromise(t *testing.T) {
	for _, o := range []verbs.Options{{LogChunk: 1000, LogChunks: 2}, {LogChunk: 3000, LogChunks: 4}, {LogChunk: 10_000, LogChunks: 10}} {
		for _, tick := range []int64{0, 1, 321, 999} {
			for ago := -o.LogChunk; ago < o.LogChunk*o.LogChunks; ago += 333 {
				w := newWorld(t)
				w.Settings, w.Tick = o, tick
				when := int64(1_700_000_000_000)/o.LogChunk*o.LogChunk + 2*o.LogChunk - 1 // the last moment of a chunk
				if w.Clock = when + ago; !chunksOf(w).keeps(when, w.Clock) {
					continue
				}
				putLog(w, "l", when, "x", "STORED")
				key := w.Keys()[0]
				w.Clock = when + o.LogChunk*(o.LogChunks-1)
				fetchLog(w, "l", "x")
				w.Clock += 2*o.LogChunk + 1000*spare
				if ago <= 0 && w.Value(key) != "none" {
					t.Errorf("%d ms x %d, late by %d: there long after its life is over", o.LogChunk, o.LogChunks, ago)
				}
			}
		}
	}
}

// A proxy whose clock is ahead or behind, for a moment or for good, by little or by much, ends nothing that
// others have put, before or afterwards.
func TestWrongClocks(t *testing.T) {
	for _, wrong := range []int64{2_000, 3_000, 5_000, 9_000, 3_600_000, 3_603_000} {
		for _, ahead := range []int64{wrong, -wrong} {
			onBoth(t, func(t *testing.T, w *verbtest.World) {
				w.Settings.LogChunk, w.Settings.LogChunks = 1000, 10
				var all []string
				for i := range int64(10) {
					w.Ahead = 0
					w.Clock = start + 1000*i + 500
					all = append(all, fmt.Sprint(i))
					putLog(w, "l", 0, fmt.Sprint(i), "STORED")
					w.Ahead = ahead
					putLog(w, "m", 0, "wrong", "STORED")
					w.Send("logput l 0 0 5\r\nwrong")
				}
				w.Ahead = 0
				for i := range 10 {
					w.Clock = start + 1000*int64(i+9) + 500 // event i has been kept for nine seconds
					var got []string
					for _, e := range parseFetch(t, w.Send("logfetch l")) {
						if e.data != "wrong" {
							got = append(got, e.data)
						}
					}
					if !slices.Equal(got, all[i:]) {
						t.Errorf("%d ahead, %d ms later: %q", ahead, 1000*i, got)
					}
				}
			})
		}
	}
}

// A proxy whose clock is ahead creates the item of a chunk long before its time. The others' events in it have their
// whole life all the same, in whichever of the chunk's items they are.
func TestItemOfAFastClock(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 1100
		fast := verbtest.NewCaller(t, &skewed{World: w, ahead: 80_000}, theVerbs)
		for range 25 { // three items
			fast.Start("logput l 0 0 90\r\n" + strings.Repeat("f", 90))
			for fast.Busy() {
				fast.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
			}
		}
		w.Clock = start + 85_000
		for n := range 20 {
			putLog(w, "l", 0, numbered(n), "STORED")
		}
		w.Clock = start + 85_000 + 90_000
		if got := parseFetch(t, w.Send("logfetch l")); len(got) != 20+25 || got[44].data != numbered(19) {
			t.Errorf("%d events", len(got))
		}
	})
}

// What an event loop remembers of an item from while the clock was ahead does not count once the time has
// come.
func TestLogputAfterClockWasAhead(t *testing.T) {
	for _, during := range []bool{false, true} { // it is put back during the call
		w := newWorld(t)
		w.Ahead = 50_000
		w.Instead = func(verbs.Op) (verbs.Reply, bool) {
			if during {
				w.Ahead = 0
			}
			return verbs.Reply{}, false
		}
		putLog(w, "l", 0, "ahead", "STORED")
		w.Ahead, w.Instead = 0, nil
		putLog(w, "l", 0, "now", "STORED")
		w.Clock += 50_000
		putLog(w, "l", 0, "then", "STORED")
		w.Clock += 90_000
		fetchLog(w, "l", "ahead", "then")
	}
}

// Nor does it count if the clock is right again when that is looked at next, and tells the time of then.
func TestLogputLongAfterClockWasAhead(t *testing.T) {
	w := newWorld(t)
	w.Ahead = 30_000
	putLog(w, "l", 0, "ahead", "STORED")
	w.Ahead = 0
	w.Clock += 33_000 // by the clock, three seconds have passed
	putLog(w, "l", 0, "then", "STORED")
	w.Clock += 90_000
	fetchLog(w, "l", "ahead", "then")
}

// heldUp sends a request through another proxy, whose operations of these kinds get no answer. It returns
// them, which are still to be carried out.
func heldUp(w *verbtest.World, request string, kinds ...verbs.OpKind) (late []verbs.Op) {
	other := newWorld(w.T)
	other.Model, other.Settings = w.Model, w.Settings
	other.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if !slices.Contains(kinds, op.Kind) {
			return verbs.Reply{}, false
		}
		op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
		late = append(late, op)
		return verbs.Reply{Err: "SERVER_ERROR lost"}, true
	}
	other.Send(request)
	return late
}

// Whatever is carried out late, when all event loops have looked at the item, does not make its life shorter.
func TestOperationsThatAreLate(t *testing.T) {
	w := newWorld(t)
	w.Clock = start + 500
	late := heldUp(w, "logput l 0 0 4\r\nlate", verbs.Touch, verbs.AppendOrCreate)
	if len(late) != 2 {
		t.Fatalf("%d operations were held up", len(late))
	}
	putLog(w, "l", 0, "first", "STORED")
	w.Clock = start + 9_000
	putLog(w, "l", 0, "second", "STORED")
	for _, op := range late {
		w.Clock += 20_000
		w.Do(t, op)
	}
	w.Clock = start + 9_000 + 90_000
	fetchLog(w, "l", "first", "late", "second")
}

// A memcached that has hung goes on with a clock that is late, and ends the item early. It is told again how long
// that is to live when its clock has caught up.
func TestEventsOutlastLateClock(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3000
		w.Silent = 2500
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Exptime > 0 && !strings.Contains(w.Value("l:170000000+1"), "first") {
				op.Exptime -= 50
			}
			return w.Do(t, op), true
		}
		putLog(w, "l", 0, "first", "STORED")
		w.Clock = start + 98_999
		fetchLog(w, "l", "first")
	})
}

// If the item has ended by then, with the event, it is put again.
func TestEventsOutlastVeryLateClock(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Silent = 2500
		ended := false
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if !ended && op.Kind == verbs.Touch && strings.Contains(w.Value("l:170000000+1"), "first") {
				ended = true
				w.Evict("l:170000000+1")
			}
			return verbs.Reply{}, false
		}
		putLog(w, "l", 0, "first", "STORED")
		w.Instead = nil
		fetchLog(w, "l", "first")
		if !ended {
			t.Error("the item was not touched again")
		}
	})
}

// memcached treats a time to live above 30 days as a point in time. A clock that is wrong ends nothing.
func TestLogOfMonths(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const day = 24 * 60 * 60 * 1000
		w.Settings.LogChunk, w.Settings.LogChunks = 10*day, 10
		first := w.Clock
		putLog(w, "l", 0, "a", "STORED")
		w.Clock += 29 * day
		for _, w.Ahead = range []int64{12 * day, -12 * day, 0} {
			putLog(w, "l", w.Clock-3*day, "b", "STORED")
		}
		w.Clock += 40 * day
		putLog(w, "l", 5*day+w.Clock, "early", "STORED")
		putLog(w, "l", 0, "c", "STORED")
		fetchLog(w, "l 1 9223372036854775807", "a", "b", "b", "b", "c", "early")
		w.Clock = first + 90*day
		fetchLog(w, "l", "a", "b", "b", "b", "c", "early")
		w.Clock = first + 110*day
		fetchLog(w, "l", "b", "b", "b", "c", "early")
		w.Clock = first + 160*day
		fetchLog(w, "l", "c", "early")
	})
}

// An early event is fetched when its time has come, and for as long as is promised from then on.
func TestEarlyEvent(t *testing.T) {
	for _, tick := range []int64{0, 400, 999} {
		for _, ahead := range []int64{2_000, 5_000, 10_000} {
			onBoth(t, func(t *testing.T, w *verbtest.World) {
				w.Tick = tick
				w.Clock = start + 10_000 + 777
				putLog(w, "l", 0, "old", "STORED")
				w.Clock = start + 99_999
				early := w.Clock + ahead
				putLog(w, "l", early, "early", "STORED")
				putLog(w, "l", early+10_001, "too early", "NOT_STORED")
				fetchLog(w, "l", "old")
				fetchLog(w, "l 1 "+fmt.Sprint(early), "old", "early")
				fetchLog(w, "l 1 "+fmt.Sprint(early-1), "old")
				fetchLog(w, "l 0 9223372036854775807", "early")
				w.Clock = early
				putLog(w, "l", 0, "late", "STORED")
				fetchLog(w, "l -1", "early", "late")
				w.Clock = early + 90_000
				fetchLog(w, "l", "early", "late")
			})
		}
	}
}

// A log of a single chunk keeps only the events of the present chunk.
func TestLogOfOneChunk(t *testing.T) {
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

func TestSmallestLog(t *testing.T) {
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
			w.Clock += 49_000
			fetchLog(w, "l", "a", "b")
		})
	}
}
