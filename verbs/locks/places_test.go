package locks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Every answer that there is, and what is stored.
func TestPlaces(t *testing.T) {
	w := newWorld(t)
	for _, step := range []struct{ request, answer string }{
		{"lock k a 5 2", "STORED"},
		{"lock k b 5 2", "STORED"},
		{"lock k c 5 2", "NOT_STORED"},
		{"lock k c 5", "NOT_STORED"},
		{"lock k a 9 2", "STORED"},
		{"relock k b 9", "STORED"},
		{"relock k c 9", "EXISTS"},
		{"unlock k c", "EXISTS"},
		{"lock k c 5 3", "STORED"}, // the largest number counts
		{"unlock k a", "DELETED"},
		{"unlock k a", "EXISTS"},
		{"lock k d 5 2", "STORED"},
		{"unlock k b", "DELETED"},
		{"unlock k c", "DELETED"},
		{"relock k d -1", "STORED"},
		{"relock k d 5", "NOT_FOUND"},
		{"lock k a 5", "STORED"}, // a lock of one holder takes part
		{"lock k b 5 2", "STORED"},
		{"lock k c 5 2", "NOT_STORED"},
		{"unlock k a", "DELETED"},
		{"unlock k b", "DELETED"},
		{"unlock k b", "NOT_FOUND"},
	} {
		w.Expect(step.request, step.answer)
	}
	if keys := w.Keys(); len(keys) > 0 {
		t.Errorf("left: %q", keys)
	}
	w.Expect("lock k a 5 1", "STORED")
	w.Holds("k", "x/1:a ")
	w.Expect("lock k a 5", "STORED")
	w.Holds("k", "x/1:a ")
	w.Expect("lock k b 5 2", "STORED")
	w.Holds("k:place:2", "x/2:b ")
	w.Put("k:place:2", "x/2:b +m l>n ", 3, 9) // somebody has appended to it by mistake
	w.Expect("relock k b 5", "STORED")
	w.Holds("k:place:2", "x/2:b ")
	w.Put("k:place:2", "something else", 0, 0)
	w.Expect("lock k b 5 2", "CLIENT_ERROR k:place:2 does not hold a lock")
	w.Expect("unlock k b", "CLIENT_ERROR k:place:2 does not hold a lock")
	for value, ok := range map[string]bool{"x/2:a ": true, "x/100:a ": true, "x/0:a ": false, "x/101:a ": false, "x/:a ": false, "x/2a ": false, "x2:a ": false, "y/2:a ": false, "x/2:a": false, ":a ": false} {
		if _, _, is := Holder([]byte(value)); is != ok {
			t.Errorf("%q is the value of a lock: %v", value, is)
		}
	}
}

// Lines that are refused.
func TestHoldersAreRefused(t *testing.T) {
	long := strings.Repeat("k", longestName)
	for line, refusal := range map[string]string{
		"k a 5 0": errHolders, "k a 5 101": errHolders, "k a 5 -1": errHolders, "k a 5 two": errHolders, "k a 5 1.5": errHolders, "k a 5 1 noreply": "", "k a 5 100": "",
		"k a 0 5": errSeconds, long + " a 5 100": "", long + "k a 5 100": errLongName, long + "k a 5": "",
	} {
		req := &protocol.Request{}
		if readLock([]byte(line), req); req.Refusal != refusal {
			t.Errorf("%.20q: %q, expected %q", line, req.Refusal, refusal)
		}
	}
	w := newWorld(t)
	w.Expect("lock "+long+" a 5 100", "STORED")
	w.Expect("lock "+long+" b 5 100", "STORED")
	w.Expect("unlock "+long+" b", "DELETED")
	w.Expect("lock "+long+"k a 5", "STORED")
	w.Expect("unlock "+long+"k b", "EXISTS")
	w.Expect("unlock "+long+"k a", "DELETED")
}

// All of a hundred places are taken, whatever the tokens, and given back.
func TestEveryPlaceIsTaken(t *testing.T) {
	w := newWorld(t)
	for i := range mostHolders {
		w.Expect(fmt.Sprintf("lock k token%d 60 100", i), "STORED")
	}
	w.Expect("lock k another 60 100", "NOT_STORED")
	for i := range mostHolders {
		w.Expect(fmt.Sprintf("relock k token%d 90", i), "STORED")
		w.Expect(fmt.Sprintf("unlock k token%d", i), "DELETED")
	}
	if keys := w.Keys(); len(keys) > 0 {
		t.Errorf("left: %q", keys)
	}
}

// A holder that has died frees its place in time.
func TestPlaceIsFreeInTime(t *testing.T) {
	for offset := int64(0); offset < 1000; offset += 111 {
		w := newWorld(t)
		w.Clock += offset
		w.Expect("lock k a 1 2", "STORED")
		w.Expect("lock k b 100 2", "STORED")
		w.Clock += 1000
		w.Expect("lock k c 1 2", "NOT_STORED")
		w.Clock += 2000
		w.Expect("lock k c 1 2", "STORED")
	}
}

// placeRules are the rules of races for a lock with holders.
var placeRules = verbtest.Rules{List: theVerbs, Look: "unlock k nobody", Right: placesRight, Random: randomPlaces, Stray: func(*verbtest.World, []*verbtest.Call) []string { return nil }}

var placeRaces = []verbtest.Race{
	{Name: "one and two", Log: "none", Clients: [][]string{{"lock k a 1"}, {"lock k b 1 2"}}},
	{Name: "two for one", Log: "none", Clients: [][]string{{"lock k a 1 1"}, {"lock k b 1 1", "unlock k b"}}},
}

func TestPlacesByEverySchedule(t *testing.T) {
	fewPlaces(t, 3)
	verbtest.TryEach(t, &placeRules, placeRaces, 0)
}

func TestPlacesByRandomSchedules(t *testing.T) {
	fewPlaces(t, 3)
	verbtest.TryRandom(t, &placeRules, 10_000)
}

// fewPlaces has calls look at no more places than the races ask for.
func fewPlaces(t *testing.T, places int) {
	lastPlace = places
	t.Cleanup(func() { lastPlace = mostHolders })
}

// randomPlaces returns a random race for a lock with holders.
func randomPlaces(r *rand.Rand) (race verbtest.Race) {
	race.Log = "none"
	race.Old, race.Direct = r.IntN(2) == 0, r.IntN(8) != 0
	race.Elapse = []int64{0, 30, 400}[r.IntN(3)]
	race.Skew = []int64{0, 0, -3000, 70_000}[r.IntN(4)]
	most := 1 + r.IntN(3)
	race.AddClients(r, 2+r.IntN(4), 4, func(client int) string {
		token := string(rune('a' + client))
		if r.IntN(8) == 0 {
			token = string(rune('a' + r.IntN(3)))
		}
		switch r.IntN(6) {
		case 0, 1, 2:
			return fmt.Sprintf("lock k %s %d %d", token, 1+r.IntN(3), 1+r.IntN(most))
		case 3: // by a token of its own: if it also held another place, unlock would not look for that
			return fmt.Sprintf("lock k %s %d", strings.ToUpper(token), 1+r.IntN(3))
		case 4:
			return fmt.Sprintf("relock k %s %d", token, []int{1, 2, 3, -1}[r.IntN(4)])
		}
		return "unlock k " + []string{token, token, strings.ToUpper(token)}[r.IntN(3)]
	})
	return race
}

// hold is when a token holds a place, in steps, and until when at least, by memcached's clock.
type hold struct {
	token    string
	from, to int
	until    int64
}

// placesRight reports whether calls are right: at no time, more tokens hold the lock for sure than the largest number that
// was asked for; nobody is refused unless as many places may have been taken; and who holds the lock for sure is not told
// otherwise.
func placesRight(_ string, calls []*verbtest.Call) bool {
	most := 1
	for _, c := range calls {
		most = max(most, holdersOf(c))
	}
	for _, c := range calls {
		if c.Expired && placeEndsTooEarly(c, calls) {
			return false
		}
		if c.To == verbtest.Unfinished { // its end tells no time
			continue
		}
		if tokensAt(surely(calls, nil), c) > most {
			return false
		}
		sure := surely(calls, c)
		answer := strings.TrimSuffix(c.Answer, "\r\n")
		a, _ := read(c.Request)
		switch {
		case answer == "NOT_STORED" && perhapsTaken(calls, c) < holdersOf(c):
			return false
		case answer == "NOT_STORED" && holdersOf(c) < most: // the token may hold a place that this call does not look at
		case answer == "EXISTS" || answer == "NOT_FOUND" || answer == "NOT_STORED":
			if slices.ContainsFunc(sure, func(h hold) bool { return h.token == a.token && h.from < c.From && c.To < h.to && c.Ended < h.until }) {
				return false
			}
		}
	}
	return true
}

// placeEndsTooEarly reports whether the time of a place has ended before any call of its holder that may have set it allows.
// Unlike a lock of one holder, a place may have been left as it was by the later ones: they may have set another place.
func placeEndsTooEarly(end *verbtest.Call, calls []*verbtest.Call) bool {
	holder, _, _ := Holder([]byte(end.Gone))
	return !slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
		a, time := read(c.Request)
		return a.token == string(holder) && time > 0 && c.From < end.From && end.Since >= c.Since+time
	})
}

// holdersOf returns how many holders a call allows.
func holdersOf(c *verbtest.Call) int {
	words := strings.Fields(c.Request)
	if words[0] != "lock" {
		return 0
	}
	if len(words) < 5 {
		return 1
	}
	return int(readSeconds([]byte(words[4])))
}

// surely returns when tokens hold the lock for sure: from an answer that says so until another call of the token that may
// change that, or the end of the item. The call but, if it is not nil, is not one of these.
func surely(calls []*verbtest.Call, but *verbtest.Call) (sure []hold) {
	for _, c := range calls {
		a, time := read(c.Request)
		if a.verb != "lock" && (a.verb != "relock" || time < 0) || !strings.HasPrefix(c.Answer, "STORED") {
			continue
		}
		h := hold{a.token, c.To, math.MaxInt, c.Since + time}
		for _, other := range calls {
			b, _ := read(other.Request)
			holder, _, _ := Holder([]byte(other.Gone))
			if other != c && other != but && (b.token == a.token || b.verb == "vanish" && string(holder) == a.token) && other.To >= c.From {
				h.to = min(h.to, max(other.From, c.To))
			}
		}
		sure = append(sure, h)
	}
	return sure
}

// tokensAt returns how many tokens hold the lock for sure at the end of c.
func tokensAt(sure []hold, c *verbtest.Call) int {
	tokens := map[string]bool{}
	for _, h := range sure {
		if h.from <= c.To && c.To < h.to && c.Ended < h.until {
			tokens[h.token] = true
		}
	}
	return len(tokens)
}

// perhapsTaken returns how many places others may have taken at some time during c.
func perhapsTaken(calls []*verbtest.Call, c *verbtest.Call) (n int) {
	for _, other := range calls {
		a, _ := read(other.Request)
		if other == c || a.verb != "lock" || other.From > c.To || strings.HasPrefix(other.Answer, "NOT_STORED") {
			continue
		}
		free := math.MaxInt
		for _, end := range calls {
			b, _ := read(end.Request)
			released := b.verb == "unlock" && strings.HasPrefix(end.Answer, "DELETED") || b.ends && strings.HasPrefix(end.Answer, "STORED")
			if b.token == a.token && released && end.From > other.To && !unknown(other) { // what is unknown may still take effect
				free = min(free, end.To)
			}
		}
		if free >= c.From {
			n++
		}
	}
	return n
}

// The judge of histories of locks with holders tells right from wrong.
func TestJudgeOfPlaces(t *testing.T) {
	gone := func(step int, holder string) *verbtest.Call {
		return &verbtest.Call{Request: "vanish k", From: step, To: step, Gone: "x/2:" + holder + " ", Expired: true, Since: int64(100 * step)}
	}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"two of two", true, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("lock k b 1 2", "STORED", 3, 4)}},
		{"three of two", false, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("lock k b 1 2", "STORED", 3, 4), did("lock k c 1 2", "STORED", 5, 6)}},
		{"three of two, one released", true, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("lock k b 1 2", "STORED", 3, 4), did("unlock k a", "DELETED", 5, 6), did("lock k c 1 2", "STORED", 7, 8)}},
		{"refused, though one is free", false, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("lock k b 1 2", "NOT_STORED", 3, 4)}},
		{"refused", true, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("lock k b 1 2", "SERVER_ERROR", 3, 4), did("lock k c 1 2", "NOT_STORED", 5, 6)}},
		{"a place ends too early", false, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), gone(10, "a")}},
		{"one of two places ends", true, []*verbtest.Call{did("lock k a 1 2", "SERVER_ERROR", 1, 2), did("lock k a 9 2", "STORED", 3, 4), gone(12, "a")}},
		{"a holder is told otherwise", false, []*verbtest.Call{did("lock k a 1 2", "STORED", 1, 2), did("unlock k a", "NOT_FOUND", 3, 4)}},
		{"the largest number counts", true, []*verbtest.Call{did("lock k a 1 1", "STORED", 1, 2), did("lock k b 1 2", "STORED", 3, 4)}},
	} {
		if got := placesRight("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
