package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if no more is allowed than should be: of all that is asked and answered in any
// interval as long as the window, by memcached's clock, no more than the count. If the clocks of proxies differ, by
// no more than a part of the window, that holds of intervals that are shorter by as much; and what one proxy allows never
// exceeds the count. A counter that is lost may allow as much again, and as much again if others took back what they
// had added to it.
//
// If nothing goes wrong, moreover, nothing is refused without a reason.

// asked is a call of limit.
type asked struct {
	*verbtest.Call
	count, n uint64
	window   window
	allowed  bool
	unknown  bool
}

// limitsOf returns the calls on the limit k, and how many counters were lost.
func limitsOf(calls []*verbtest.Call) (list []asked, lost uint64) {
	for _, c := range calls {
		verb, words, _ := strings.Cut(c.Request, " ")
		if verb == "vanish" {
			lost++
			continue
		}
		_, words, _ = strings.Cut(words, " ")
		count, seconds, n := numbers([]byte(words))
		list = append(list, asked{c, count, n, window(seconds), strings.HasPrefix(c.Answer, "1 "), !strings.HasPrefix(c.Answer, "0 ") && !strings.HasPrefix(c.Answer, "1 ")})
	}
	return list, lost
}

// tooMany reports whether more is allowed than should be in an interval of so many milliseconds, of the calls that
// count. Windows and counts are the same in all of them.
func tooMany(list []asked, interval int64, lost uint64, counts func(*asked) bool) bool {
	for i := range list {
		if from := list[i].Since; counts(&list[i]) {
			sum := uint64(0)
			for j := range list {
				if c := &list[j]; counts(c) && c.allowed && c.Since >= from && c.Ended <= from+interval {
					sum += c.n
				}
			}
			if sum > list[i].count*(1+2*lost) {
				return true
			}
		}
	}
	return false
}

// bounded reports whether no more is allowed than should be.
func bounded(_ string, calls []*verbtest.Call) bool {
	list, lost := limitsOf(calls)
	if len(list) == 0 {
		return true
	}
	clocks := list[0].All
	for _, c := range list {
		clocks.Add(c.All.Least)
		clocks.Add(c.All.Most)
	}
	length, apart := int64(list[0].window)*1000, clocks.Most-clocks.Least
	if apart <= length/parts && tooMany(list, length-apart, lost, func(*asked) bool { return true }) {
		return false
	}
	for i := range list {
		if tooMany(list, length, lost, func(c *asked) bool { return c.Own == list[i].Own }) {
			return false
		}
	}
	return true
}

// generous is bounded, for schedules in which nothing goes wrong and all clocks are the same: it reports whether also what
// is refused would have been too much, with what may count still.
func generous(before string, calls []*verbtest.Call) bool {
	list, _ := limitsOf(calls)
	for i := range list {
		c := &list[i]
		if c.allowed || c.unknown || c.Ended == 0 {
			continue
		}
		sum := max(c.n, 1)
		for j := range list {
			other := &list[j]
			length := int64(c.window) * 1000
			together := other.To >= c.From && other.From <= c.To && other != c // what it has added may not be taken back yet
			if together || other.allowed && other.Ended >= c.Since-length-length/parts && other.From <= c.To {
				sum += other.n
			}
		}
		if sum <= c.count {
			return false
		}
	}
	return bounded(before, calls)
}

func TestHistoryChecker(t *testing.T) {
	did := func(request, answer string, from, to int) *verbtest.Call {
		return &verbtest.Call{Request: "limit k " + request, Answer: answer + "\r\n", From: from, To: to, Since: int64(from), Ended: int64(to)}
	}
	for i, test := range []struct {
		bounded, generous bool
		calls             []*verbtest.Call
	}{
		{true, true, []*verbtest.Call{did("2 1 2", "1 0 0", 1, 2), did("2 1", "0 0 5", 3, 4), did("2 1", "1 1 0", 1002, 1003)}},
		{false, false, []*verbtest.Call{did("2 1 2", "1 0 0", 1, 2), did("2 1", "1 0 0", 3, 4)}},
		{false, false, []*verbtest.Call{did("2 1 2", "1 0 0", 1, 2), did("2 1", "1 0 0", 1000, 1001)}},
		{true, false, []*verbtest.Call{did("2 1", "1 1 0", 1, 2), did("2 1", "0 0 5", 3, 4)}},
		{true, true, []*verbtest.Call{did("2 1", "1 1 0", 1, 3), did("2 1 2", "0 0 5", 3, 4)}},
		{true, false, []*verbtest.Call{did("2 1 2", "1 0 0", 1, 2), did("2 1 1", "0 0 5", 1070, 1071)}},
		{true, true, []*verbtest.Call{did("2 1 2", "1 0 0", 1, 2), {Request: "vanish k:limit:1:x"}, did("2 1", "1 1 0", 3, 4)}},
	} {
		if got := bounded("", test.calls); got != test.bounded {
			t.Errorf("%d: bounded %v", i, got)
		}
		if got := generous("", test.calls); got != test.generous {
			t.Errorf("%d: generous %v", i, got)
		}
	}
	if fmt.Sprint(limitsOf(nil)) != "[] 0" {
		t.Error("there are calls")
	}
}
