package eventlogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// start is the initial time of worlds: the start of chunk 170000000.
const start = 1_700_000_000_000

func TestLogBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		fetchLog(w, "l")
		w.Expect("logfetch l", "END")
		w.Clock += 1234
		w.Expect("logput l 7 0 5\r\nhello", "STORED")
		w.Holds("l:170000000+1", "1700000001234 7 5\r\nhello\r\n")
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
		w.Holds("l:170000001+1", "1700000010236 1 3\r\nEND\r\n")
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
		{"l 1 9223372036854775807", 22},
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
	costs := func(log string, operations, trips int) {
		t.Helper()
		putLog(w, log, 0, "x", "STORED")
		w.Cost(operations)
		if got := w.Client.Routine.Account().Trips; got != trips {
			t.Errorf("a logput takes %d round trips, expected %d", got, trips)
		}
	}
	costs("l", 2, 1)
	costs("l", 1, 1)  // directly
	w.Clock += 10_000 // the next chunk
	costs("l", 2, 1)
	costs("l", 1, 1)
	w.Silent = 60_000 // as nobody has asked for anything
	costs("l", 1, 1)
	costs("m", 3, 2)
	costs("m", 1, 1)
	w.Silent, w.Old = 0, true
	costs("l", 2, 1)
	costs("n", 4, 3) // the touch, an append with a probe, and an add
	costs("n", 2, 1)
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
		putLog(w, "l", 100_000_000_000, "x", "NOT_STORED")
	})
}

// An event of the oldest chunk is stored up to the last moment.
func TestLogJustInTime(t *testing.T) {
	w := newWorld(t)
	w.Clock += 9_999
	putLog(w, "l", start-90_000, "x", "STORED")
	fetchLog(w, "l", "x")
	w.Clock++
	putLog(w, "l", start-90_000, "x", "NOT_STORED")
	fetchLog(w, "l")
}

func TestLogNames(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Clock += 5000
		w.Limit = 1000
		longest := strings.Repeat("n", maxLogName)
		data := strings.Repeat("x", 300)
		for range 100 { // in many items
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
		w.Clock += 12_000 // chunk 170000001
		w.Limit = 600
		logs := []string{"a", "a:1", "a:1:1", "a:170000001", "a:170000001+1", "a+1", "a:1+1", "a:", "a:170000001+1:170000001"}
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
		w.Put("l:170000000+1", value, 0, 0)
		w.Expect("logfetch l", "CLIENT_ERROR l:170000000+1 does not hold events of a log")
		fetchLog(w, "l 0", "x")
	}
	w.Put("l:170000000+1", "", 0, 0)
	fetchLog(w, "l", "x")
}

func TestLogTooLong(t *testing.T) {
	w := newWorld(t)
	w.Direct = true
	w.Clock += 5000
	megabytes := strings.Repeat("x", 22<<20)
	w.Put("l:169999998+1", record(w.Clock-20_000, megabytes), 0, 0)
	w.Put("l:169999999+1", record(w.Clock-10_000, megabytes), 0, 0)
	w.Put("l:170000000+1", record(w.Clock, megabytes), 0, 0)
	w.Expect("logfetch l", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
}
