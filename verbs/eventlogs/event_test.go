package eventlogs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

func TestEventFormats(t *testing.T) {
	e := event{when: -12, flags: []byte("4294967295"), data: []byte("a\r\nb")}
	if got := string(e.appendTo([]byte("x"))); got != "x-12 4294967295 4\r\na\r\nb\r\n" {
		t.Errorf("%q", got)
	}
	if got := string(e.appendReply([]byte("x"), []byte("log"))); got != "xVALUE log 4294967295 4 -12\r\na\r\nb\r\n" {
		t.Errorf("%q", got)
	}
}

// parseEvents returns the events in item from first to last. It returns false if item
// does not consist of events.
func parseEvents(item []byte, first, last int64) (events []event, ok bool) {
	c := &verbs.Call{Pace: verbs.Pace{Slice: 2, Pause: func() {}}}
	f := fetch{Call: c, first: first, last: last, items: [][]byte{item}}
	ok = f.search(0)
	for n := range f.found {
		events = append(events, f.event(n))
	}
	return events, ok
}

func TestParseEvents(t *testing.T) {
	item := []byte(record(5, "abc") + record(-6, "\r\n") + record(5, "") + record(7, "7 0 3\r\nabc\r\n"))
	for _, test := range []struct {
		first, last int64
		want        string
	}{
		{math.MinInt64, math.MaxInt64, `["abc" "\r\n" "" "7 0 3\r\nabc\r\n"]`},
		{-6, 5, `["abc" "\r\n" ""]`},
		{-5, 6, `["abc" ""]`},
		{7, 7, `["7 0 3\r\nabc\r\n"]`},
		{8, 6, `[]`},
	} {
		events, ok := parseEvents(item, test.first, test.last)
		data := [][]byte{}
		for _, e := range events {
			data = append(data, e.data)
		}
		if got := fmt.Sprintf("%q", data); !ok || got != test.want {
			t.Errorf("%d to %d: %s, expected %s", test.first, test.last, got, test.want)
		}
	}
}

func TestKeep(t *testing.T) {
	a, b, c := record(5, "a"), record(3, "b"), record(7, "c")
	for _, test := range []struct {
		oldest int64
		want   string
	}{{0, a + b + c}, {3, a + b + c}, {4, a + c}, {6, c}, {8, ""}} {
		if got, ok := keep([]byte(a+b+c), test.oldest); !ok || string(got) != test.want {
			t.Errorf("from %d: %q", test.oldest, got)
		}
	}
	if _, ok := keep([]byte(a+"x"), 0); ok {
		t.Error("kept what is no log")
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte(record(5, "abc")+record(-6, "\r\n")), int64(5), uint32(7), []byte("abc"))
	f.Add([]byte("1 2 3\r\nabc"), int64(math.MinInt64+1), uint32(math.MaxUint32), []byte("\r\n"))
	f.Add([]byte("1  +2 1\r\na\r\n"), int64(0), uint32(0), []byte{})
	f.Add([]byte("1 2 18446744073709551615\r\na\r\n"), int64(math.MaxInt64), uint32(1), []byte("1 2 3\r\n"))
	f.Fuzz(func(t *testing.T, item []byte, when int64, flags uint32, data []byte) {
		events, ok := parseEvents(item, math.MinInt64, math.MaxInt64)
		all, kept := keep(item, math.MinInt64)
		if ok != kept || ok && !bytes.Equal(all, item) {
			t.Fatalf("%q: events: %v; kept as %q", item, ok, all)
		}
		if !ok {
			item = nil
		} else {
			compareKept(t, item, events, when)
		}
		if when == math.MinInt64 { // not a time that a client can send
			return
		}
		e := event{when: when, flags: fmt.Append(nil, flags), data: data}
		more, ok := parseEvents(slices.Concat(item, e.appendTo(nil)), when, when)
		if !ok || len(more) == 0 || !e.equal(more[len(more)-1]) {
			t.Fatalf("%+v behind %q was read as %+v", e, item, more)
		}
	})
}

func (e event) equal(other event) bool {
	return e.when == other.when && bytes.Equal(e.flags, other.flags) && bytes.Equal(e.data, other.data)
}

// compareKept compares what keep returns with the events of the item.
func compareKept(t *testing.T, item []byte, events []event, oldest int64) {
	kept, _ := keep(item, oldest)
	left, ok := parseEvents(kept, math.MinInt64, math.MaxInt64)
	if !ok {
		t.Fatalf("%q: kept as %q", item, kept)
	}
	for _, e := range events {
		if e.when < oldest {
			continue
		}
		if len(left) == 0 || !e.equal(left[0]) {
			t.Fatalf("%q: kept as %q", item, kept)
		}
		left = left[1:]
	}
	if len(left) > 0 {
		t.Fatalf("%q: kept as %q", item, kept)
	}
}
