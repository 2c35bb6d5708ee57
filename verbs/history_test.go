package verbs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The calls of a schedule are right if they can be put in an order in which
// one after the other, each at a moment between its beginning and its end, they
// answer what they did. This is how sets behave then.

// setState is a set, its members in order, or none.
type setState struct {
	exists  bool
	members string // each with a space behind it
}

// after returns what request makes of the set, and its answer.
func (s setState) after(request string) (setState, string) {
	words := strings.Fields(request)
	switch command, members := words[0], words[2:]; command {
	case "evict":
		return setState{}, ""
	case "sadd":
		for _, m := range members {
			if !s.has(m) {
				s.members += m + " "
			}
		}
		s.exists = true
		return s, "STORED\r\n"
	case "srem":
		if !s.exists {
			return s, "NOT_FOUND\r\n"
		}
		for _, m := range members {
			s.members = strings.TrimPrefix(strings.Replace(" "+s.members, " "+m+" ", " ", 1), " ")
		}
		return s, "STORED\r\n"
	case "smembers":
		if !s.exists {
			return s, "END\r\n"
		}
		all := strings.TrimSuffix(s.members, " ")
		return s, fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", words[1], len(all), all)
	case "scard":
		if !s.exists {
			return s, "NOT_FOUND\r\n"
		}
		return s, fmt.Sprintf("%d\r\n", strings.Count(s.members, " "))
	case "sismember":
		if !s.exists {
			return s, "NOT_FOUND\r\n"
		}
		var bits []string
		for _, m := range members {
			bits = append(bits, map[bool]string{true: "1", false: "0"}[s.has(m)])
		}
		return s, strings.Join(bits, " ") + "\r\n"
	}
	panic(request)
}

func (s setState) has(member string) bool { return strings.Contains(" "+s.members, " "+member+" ") }

// inSomeOrder reports whether calls can be put in order, begun with a set in
// the state given. A call that failed may have happened at any time since, or
// not at all.
func inSomeOrder(state setState, calls []*call) bool {
	type at struct {
		done  uint64
		state setState
	}
	seen := map[at]bool{}
	all := uint64(1)<<len(calls) - 1
	var search func(uint64, setState) bool
	search = func(done uint64, state setState) bool {
		if done == all {
			return true
		}
		if seen[at{done, state}] {
			return false
		}
		seen[at{done, state}] = true
		firstEnd := unfinished
		for i, c := range calls {
			if done&(1<<i) == 0 && !c.failed() {
				firstEnd = min(firstEnd, c.to)
			}
		}
		for i, c := range calls {
			if done&(1<<i) != 0 {
				continue
			}
			if c.failed() && search(done|1<<i, state) { // it never happened
				return true
			}
			if c.from > firstEnd {
				continue
			}
			next, answer := state.after(c.request)
			if (answer == c.answer || c.failed()) && search(done|1<<i, next) {
				return true
			}
		}
		return false
	}
	return search(0, state)
}

func did(request, answer string, from, to int) *call {
	return &call{request: request, answer: answer, from: from, to: to}
}

func TestHistoryChecker(t *testing.T) {
	add, remove, count := "sadd k a", "srem k a", "scard k"
	for _, test := range []struct {
		name  string
		right bool
		calls []*call
	}{
		{"nothing", true, nil},
		{"in turn", true, []*call{did(add, "STORED\r\n", 1, 2), did(count, "1\r\n", 3, 4)}},
		{"a lost addition", false, []*call{did(add, "STORED\r\n", 1, 2), did(count, "NOT_FOUND\r\n", 3, 4)}},
		{"at the same time", true, []*call{did(add, "STORED\r\n", 1, 4), did(count, "NOT_FOUND\r\n", 2, 3)}},
		{"evicted", true, []*call{did(add, "STORED\r\n", 1, 2), did("evict k", "", 3, 3), did(count, "NOT_FOUND\r\n", 4, 4)}},
		{"one comes back", false, []*call{did(add, "STORED\r\n", 1, 2), did(remove, "STORED\r\n", 3, 4), did(count, "0\r\n", 5, 6),
			did(count, "1\r\n", 7, 8)}},
		{"a failed one comes late", true, []*call{did(remove, "SERVER_ERROR lost\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did(count, "1\r\n", 5, 6), did(count, "0\r\n", 7, 8)}},
		{"a failed one comes twice", false, []*call{did(remove, "SERVER_ERROR lost\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did(count, "0\r\n", 5, 6), did(add, "STORED\r\n", 7, 8), did(count, "0\r\n", 9, 9)}},
		{"removed from nothing", false, []*call{did(remove, "STORED\r\n", 1, 2)}},
		{"order", false, []*call{did("sadd k b", "STORED\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did("smembers k", "VALUE k 0 3\r\na b\r\nEND\r\n", 5, 6)}},
	} {
		if got := inSomeOrder(setState{}, test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
		slices.Reverse(test.calls)
		if got := inSomeOrder(setState{}, test.calls); got != test.right {
			t.Errorf("%s, listed backwards: right %v", test.name, got)
		}
	}
}
