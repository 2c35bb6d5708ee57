package eventlogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// start is the initial time of worlds: the start of chunk 170000000, whose item in the
// ring is 0.
const start = 1_700_000_000_000

func TestLogBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		fetchLog(w, "l")
		w.Expect("logfetch l", "END")
		w.Clock += 1234
		w.Expect("logput l 7 0 5\r\nhello", "STORED")
		w.Holds("l:0", "1700000001234 7 5\r\nhello\r\n")
		w.Expect("logput l 4294967295 1700000001233 0\r\n", "STORED")
		w.Clock += 2
		w.Expect("logput l 0 -1 5\r\n\r\n\r\n\x00", "STORED")
		w.Expect("logfetch l",
			"VALUE l 4294967295 0 1700000001233", "",
			"VALUE l 7 5 1700000001234", "hello",
			"VALUE l 0 5 1700000001235", "\r\n\r\n\x00",
			"END")
		w.Clock += 9000
		w.Expect("logput l 1 0 3\r\nEND", "STORED")
		w.Holds("l:1", "1700000010236 1 3\r\nEND\r\n")
		fetchLog(w, "l", "", "hello", "\r\n\r\n\x00", "END")
		fetchLog(w, "m")
	})
}

func TestLogOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 55_500
		for i, ago := range []int64{0, 30_000, 7, 30_000, 0, 55_000, 30_001, 0} {
			putLog(w, "l", -ago, fmt.Sprint(i), "STORED")
		}
		fetchLog(w, "l", "5", "6", "1", "3", "2", "0", "4", "7")
	})
}

func TestLogInterval(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for i := range int64(10) { // the middle of each of ten chunks
			w.Clock = start + 10_000*i + 5000
			putLog(w, "l", 0, fmt.Sprint(i), "STORED")
		}
		all := strings.Fields("0 1 2 3 4 5 6 7 8 9")
		at := func(i int64) string { return fmt.Sprint(start + 10_000*i + 5000) }
		for _, test := range []struct {
			words string
			want  []string
		}{
			{"l", all},
			{"l 1", all},
			{"l -9223372036854775807", all},
			{"l 9223372036854775807", nil},
			{"l 1 9223372036854775807", all},
			{"l 1 1", nil},
			{"l -50000", all[4:]},
			{"l -49999", all[5:]},
			{"l -50000 -20000", all[4:8]},
			{"l -50001 -20001", all[4:7]},
			{"l -20000 -50000", nil},
			{"l 0", all[9:]},
			{"l 0 0", all[9:]},
			{"l 1 0", all},
			{"l " + at(3), all[3:]},
			{"l " + at(3) + " " + at(3), all[3:4]},
			{"l " + at(3) + " " + at(5), all[3:6]},
			{"l " + at(5) + " " + at(3), nil},
			{"l " + at(9) + " " + at(30), all[9:]},
			{"l " + at(12) + " " + at(30), nil},
			{"l -9223372036854775807 -9223372036854775807", nil},
		} {
			fetchLog(w, test.words, test.want...)
		}
	})
}

func TestLogTripsOfFetch(t *testing.T) {
	w := newWorld(t)
	w.Clock += 95_000
	for _, test := range []struct {
		words      string
		operations int
	}{
		{"l", 20},
		{"l 0", 2},
		{"l -5000", 2},
		{"l -5001", 4},
		{"l 1 -94999", 2},
		{"l 1 9223372036854775807", 21}, // the chunk ahead shares the item of the oldest
		{"l -5 -10", 0},
	} {
		fetchLog(w, test.words)
		w.Cost(test.operations)
		if trips := w.Client.Routine.Account().Trips; trips > 1 {
			t.Errorf("logfetch %s: %d round trips", test.words, trips)
		}
	}
}

func TestLogTripsOfPut(t *testing.T) {
	w := newWorld(t)
	putLog(w, "l", 0, "at the turn of a chunk", "STORED")
	w.Cost(3)
	putLog(w, "l", 0, "again", "STORED")
	w.Cost(2)
	w.Clock += settling
	putLog(w, "l", 0, "later", "STORED")
	w.Cost(1)
	putLog(w, "m", 0, "later", "STORED")
	w.Cost(2) // in one round trip
	if trips := w.Client.Routine.Account().Trips; trips != 1 {
		t.Errorf("the first logput takes %d round trips", trips)
	}
	putLog(w, "m", 0, "again", "STORED")
	w.Cost(1)
	w.Old = true
	putLog(w, "l", 0, "later", "STORED")
	w.Cost(2) // in one round trip
	putLog(w, "n", 0, "later", "STORED")
	w.Cost(4)
}

func TestLogKeepsSoMuch(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 3_456
		for _, test := range []struct {
			ago  int64
			want string
		}{
			{0, "STORED"},
			{93_456, "STORED"}, // the first moment of the oldest chunk kept
			{93_457, "NOT_STORED"},
			{1 << 60, "NOT_STORED"},
			{3_456, "STORED"},
			{3_457, "STORED"},
			{83_457, "STORED"}, // the last moment of the oldest chunk
		} {
			before := len(w.Keys())
			if test.ago > 0 {
				putLog(w, "l", -test.ago, "x", test.want)
			}
			putLog(w, "l", w.Clock-test.ago, "x", test.want)
			if test.want != "STORED" && (len(w.Keys()) != before || w.Client.Done > 0) {
				t.Errorf("%d ago: %q", test.ago, w.Keys())
			}
		}
		putLog(w, "l", w.Clock+10_000, "x", "STORED")
		putLog(w, "l", w.Clock+10_001, "x", "NOT_STORED")
		putLog(w, "l", 1<<63-1, "x", "NOT_STORED")
		putLog(w, "l", -(1<<63 - 1), "x", "NOT_STORED")
		putLog(w, "l", 1, "x", "NOT_STORED")
	})
}

// An event of the oldest chunk is stored up to the last moment.
func TestLogJustInTime(t *testing.T) {
	w := newWorld(t)
	w.Clock += 9_999
	putLog(w, "l", start-90_000, "x", "STORED")
	if i := w.Find("l:1"); i.Expires != w.Seconds()+2 {
		t.Errorf("%+v", i)
	}
	w.Clock++
	putLog(w, "l", start-90_000, "x", "NOT_STORED")
}

// Every event is kept for as long as is promised, whenever memcached's clock ticks; its item is not kept much
// longer, even if it has late events.
func TestLogKeepsItsPromise(t *testing.T) {
	for _, o := range []verbs.Options{{LogChunk: 1000, LogChunks: 2}, {LogChunk: 3000, LogChunks: 4}, {LogChunk: 10_000, LogChunks: 10}} {
		for _, tick := range []int64{0, 1, 321, 999} {
			for ago := int64(0); ago < o.LogChunk*o.LogChunks; ago += 333 {
				w := newWorld(t)
				w.Settings, w.Tick = o, tick
				when := int64(1_700_000_000_000)/o.LogChunk*o.LogChunk + 2*o.LogChunk - 1 // the last moment of a chunk
				if w.Clock = when + ago; !ringOf(w).keeps(when, w.Clock) {
					continue
				}
				putLog(w, "l", when, "x", "STORED")
				key := w.Keys()[0]
				w.Clock = when + o.LogChunk*(o.LogChunks-1)
				fetchLog(w, "l", "x")
				w.Clock += 1000*overlap + 1
				if w.Value(key) != "none" {
					t.Errorf("%d ms x %d, late by %d: there long after its place is used again", o.LogChunk, o.LogChunks, ago)
				}
			}
		}
	}
}

// A proxy whose clock is ahead drops nothing that has more than a chunk to live, whether it is ahead for a
// moment or for good, by little or by much.
func TestLogputAhead(t *testing.T) {
	for _, ahead := range []int64{2_000, 3_000, 5_000, 9_000, 3_600_000, 3_603_000} {
		w := newWorld(t)
		w.Settings.LogChunk, w.Settings.LogChunks = 1000, 10
		for i := range int64(10) {
			w.Clock = start + 1000*i + 500
			putLog(w, "l", 0, fmt.Sprint(i), "STORED")
		}
		for range 30 {
			w.Ahead = ahead
			putLog(w, "l", 0, "ahead", "STORED")
			w.Ahead = 0
		}
		fetchLog(w, "l", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
		for i := range int64(9) {
			w.Clock = start + 1000*(i+9) + 501 // event i has been kept for nine seconds
			first := fmt.Sprintf("l %d %d", start+1000*i+500, start+1000*i+500)
			if i >= 1 {
				fetchLog(w, first, fmt.Sprint(i))
			}
		}
	}
}

// What an event loop remembers of an item from while the clock was ahead does not count once the time has
// come.
func TestLogputAfterClockWasAhead(t *testing.T) {
	w := newWorld(t)
	w.Ahead = anHour + 10_000 // another item's turn
	putLog(w, "l", 0, "ahead", "STORED")
	w.Ahead = 0
	putLog(w, "l", 0, "now", "STORED")
	w.Clock += anHour + 10_000
	chunk := ringOf(w).chunkOf(w.Clock)
	w.Put(string(ringOf(w).appendItemKey(nil, []byte("l"), chunk)), record(w.Clock-95_000, "late"), 0, 2) // of the last round
	w.Clock += 1500
	putLog(w, "l", 0, "then", "STORED")
	w.Clock += 5000
	fetchLog(w, "l", "then")
}

const anHour = 3_600_000

// memcached treats a time to live above 30 days as a point in time.
func TestLogOfMonths(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const day = 24 * 60 * 60 * 1000
		w.Settings.LogChunk, w.Settings.LogChunks = 10*day, 10
		first := w.Clock
		putLog(w, "l", 0, "a", "STORED")
		w.Clock += 29 * day
		putLog(w, "l", -3*day, "b", "STORED")
		w.Clock += 40 * day
		putLog(w, "l", 5*day+w.Clock, "early", "STORED")
		putLog(w, "l", 0, "c", "STORED")
		fetchLog(w, "l 1 9223372036854775807", "a", "b", "c", "early")
		w.Clock = first + 90*day
		fetchLog(w, "l", "a", "b", "c", "early")
		w.Clock = first + 110*day
		fetchLog(w, "l", "b", "c", "early")
	})
}

func TestLogNames(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 5000
		w.Limit = 1000
		longest := strings.Repeat("n", maxLogName)
		data := strings.Repeat("x", 300)
		for range 100 { // in many overflow items
			putLog(w, longest, 0, data, "STORED")
		}
		fetchLog(w, longest, slices.Repeat([]string{data}, 100)...)
		const want = "CLIENT_ERROR bad key: the name of a log is at most 220 bytes"
		putLog(w, longest+"n", 0, "x", want)
		w.Expect("logfetch "+longest+"n", want)
		w.Cost(0)
	})
}

// Items of one log must not be mistaken for those of another.
func TestLogsDoNotMix(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 12_000 // item 1
		w.Limit = 600
		logs := []string{"a", "a:1", "a:1:1", "a:170000001", "a:170000001+1", "a+1", "a:1+1", "a:"}
		for round := range 3 {
			for _, log := range logs {
				for i := range 10 {
					putLog(w, log, 0, fmt.Sprintf("%s %d %s", log, 10*round+i, strings.Repeat("x", 90)), "STORED")
				}
			}
		}
		for _, log := range logs {
			events := parseFetch(t, w.Send("logfetch "+log))
			for i, e := range events {
				if !strings.HasPrefix(e.data, fmt.Sprintf("%s %d ", log, i)) {
					t.Fatalf("%s: event %d is %q", log, i, e.data)
				}
			}
			if len(events) != 30 {
				t.Errorf("%s: %d events", log, len(events))
			}
		}
	})
}

func TestNoLog(t *testing.T) {
	w := newWorld(t)
	w.Clock += 15_000
	putLog(w, "l", 0, "x", "STORED")
	for _, value := range []string{"x", "\r\n", "1 2 3", "1 2 3\r\nabc", "1 2 3\r\nabc\n\n", "1 2 4\r\nabc\r\n", "1 2 2\r\nabc\r\n",
		"1 2\r\nabc\r\n", "1 2 3 4\r\nabc\r\n", "a 2 3\r\nabc\r\n", "1 -2 3\r\nabc\r\n", "1 2 -3\r\nabc\r\n", "1 2 3\nabc\r\n",
		record(1, "x") + "x", "+a +b ", " "} {
		w.Put("l:0", value, 0, 0)
		w.Expect("logfetch l", "CLIENT_ERROR l:0 does not hold events of a log")
		fetchLog(w, "l 0", "x")
	}
	w.Put("l:0", "", 0, 0)
	fetchLog(w, "l", "x")
}

func TestLogTooLong(t *testing.T) {
	w := newWorld(t)
	w.Direct = true
	w.Clock += 5000
	megabytes := strings.Repeat("x", 22<<20)
	w.Put("l:8", record(w.Clock-20_000, megabytes), 0, 0)
	w.Put("l:9", record(w.Clock-10_000, megabytes), 0, 0)
	w.Put("l:0", record(w.Clock, megabytes), 0, 0)
	w.Expect("logfetch l", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
}
