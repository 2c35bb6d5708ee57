package eventlogs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// told is an event as a reply tells it.
type told struct {
	when  int64
	flags string
	data  string
}

func (e told) stored() string {
	return fmt.Sprintf("%d %s %d\r\n%s\r\n", e.when, e.flags, len(e.data), e.data)
}

func TestEventFormats(t *testing.T) {
	text := appendEvent([]byte("x"), -12, math.MaxUint32, []byte("a\r\nb"))
	if string(text) != "x-12 4294967295 4\r\na\r\nb\r\n" {
		t.Errorf("%q", text)
	}
	e, ok := parseEvent(text[1:])
	if got := string(e.appendReply([]byte("x"), []byte("log"), text[1:])); !ok || got != "xVALUE log 4294967295 4 -12\r\na\r\nb\r\n" {
		t.Errorf("%v: %q", ok, got)
	}
}

// What looks like an event and is none.
func TestNoEvents(t *testing.T) {
	for _, text := range []string{
		"", "-", "5", "5 ", "5 0", "5 0 ", "5 0 1", "5 0 1\r", "5 0 1\r\n", "5 0 1\r\na", "5 0 1\r\na\r",
		"- 0 1\r\na\r\n", "--5 0 1\r\na\r\n", "+5 0 1\r\na\r\n", "5  0 1\r\na\r\n", " 5 0 1\r\na\r\n", "5 0 1 \r\na\r\n",
		"5 4294967296 1\r\na\r\n",
		"5 -0 1\r\na\r\n", "5 0 -1\r\na\r\n", "5 0 2\r\na\r\n", "5 0 0\r\na\r\n", "5 0 1\na\n", "5 0\r\na\r\n",
		"9223372036854775808 0 1\r\na\r\n", "10000000000000000000 0 1\r\na\r\n",
		"5 0 18446744073709551615\r\na\r\n", "5 0 9999999999999999999\r\na\r\n",
	} {
		if e, ok := parseEvent([]byte(text)); ok {
			t.Errorf("%q was read as %+v", text, e)
		}
	}
}

// parseEvents returns the events in item from first to last. It returns false if item
// does not consist of events.
func parseEvents(item []byte, first, last int64) (events []told, ok bool) {
	c := &verbs.Call{Pace: verbs.Pace{Slice: 2, Pause: func() {}}}
	f := fetch{Call: c, first: first, last: last, items: [][]byte{item}}
	ok = f.search(0)
	for n := range f.found {
		reply := string(f.found[n].appendReply(nil, []byte("log"), f.stored(n)))
		e, size := told{}, 0
		line, data, _ := strings.Cut(reply, "\r\n")
		if _, err := fmt.Sscanf(line, "VALUE log %s %d %d", &e.flags, &size, &e.when); err != nil || len(data) != size+2 {
			panic(fmt.Sprintf("%q: %v", reply, err))
		}
		e.data = data[:size]
		events = append(events, e)
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
		data := []string{}
		for _, e := range events {
			data = append(data, e.data)
		}
		if got := fmt.Sprintf("%q", data); !ok || got != test.want {
			t.Errorf("%d to %d: %s, expected %s", test.first, test.last, got, test.want)
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte(record(5, "abc")+record(-6, "\r\n")), int64(5), uint32(7), []byte("abc"))
	f.Add([]byte("1 2 3\r\nabc"), int64(math.MinInt64+1), uint32(math.MaxUint32), []byte("\r\n"))
	f.Add([]byte("1  +2 1\r\na\r\n"), int64(0), uint32(0), []byte{})
	f.Add([]byte("1 2 18446744073709551615\r\na\r\n"), int64(math.MaxInt64), uint32(1), []byte("1 2 3\r\n"))
	f.Fuzz(func(t *testing.T, item []byte, when int64, flags uint32, data []byte) {
		events, ok := parseEvents(item, math.MinInt64, math.MaxInt64)
		if !ok {
			item, events = nil, nil
		}
		if when == math.MinInt64 { // not a time that a client can send
			return
		}
		e := told{when, fmt.Sprint(flags), string(data)}
		all, ok := parseEvents(append(bytes.Clone(item), e.stored()...), math.MinInt64, math.MaxInt64)
		if !ok || !slices.Equal(all, append(events, e)) {
			t.Fatalf("%+v after %q was read as %+v", e, item, all)
		}
	})
}
