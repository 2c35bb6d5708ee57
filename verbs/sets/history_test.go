package sets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in
// which, each carried out at one moment between its beginning and its end, they have
// the same answers. Porcupine searches for such an order, given a model of sets.
//
// Whether a member has expired depends on the clock that is asked. So an answer is right if the set
// has it at any time between the call's beginning and its end by the clock of its proxy.
//
// A member is identified by its first letter. A state is how long the set lives, as a race tells it, an
// exclamation mark and the set as text; the empty string is no set.

// action is what a call or a mishap does.
type action struct {
	verb     string
	members  string // letters
	signs    string // of these, for a schange
	count    int
	seconds  int64
	from, to int64  // when it was carried out, in milliseconds
	begun    int64  // when it began, by its own clock
	life     string // of a set that it creates
}

// stillKept is for how many milliseconds at least, by memcached's clock, a member that has expired is
// kept for proxies whose clocks are behind.
const stillKept = 4000

// absent is the answer that there is no set. An unknown answer is nil.
const absent = "-"

var setModel = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{""} },
	Step: func(state, input, output any) (next []any) {
		answer, known := output.(string)
		a := input.(action)
		for _, now := range a.times(state.(string)) {
			after, right := step(state.(string), a, answer, now)
			if !known || answer == right || answer == verbtest.FirstLife && right == "0" {
				if !slices.Contains(next, any(after)) {
					next = append(next, after)
				}
			}
		}
		return next
	},
}).ToModel()

// times returns the times at which the action may have found different members.
func (a action) times(state string) []int64 {
	times := []int64{a.from}
	_, set, _ := strings.Cut(state, "!")
	for _, s := range parse(set) {
		if at := format.ExpiredAt(s.until); at > a.from && at <= a.to {
			times = append(times, at)
		}
	}
	return times
}

// step is after for a set with how long it lives.
func step(state string, a action, answer string, now int64) (next, right string) {
	life, set, exists := strings.Cut(state, "!")
	switch {
	case exists:
	case a.verb == "life":
		return "", absent
	default:
		life = a.life
	}
	switch {
	case a.verb == "life":
		return state, life
	case a.verb == "end" && (len(parse(set).at(a.to+stillKept)) > 0 || life == "0"):
		return state, "wrong"
	case a.verb == "end":
		return "", "STORED"
	}
	all, exists, right := after(parse(set), exists, a, answer, now)
	if !exists {
		return "", right
	}
	return life + "!" + all.String(), right
}

// after returns the set after an action at a time, whether there is one, and the right answer. If chance
// decides, that is answer if it is possible, and something else if not.
func after(p plain, exists bool, a action, answer string, now int64) (plain, bool, string) {
	switch {
	case a.verb == "vanish":
		return nil, false, ""
	case a.verb == "put":
		return parse(a.members), true, "STORED"
	case a.adds():
		p, right := a.change(p, now)
		return p, true, right
	case !exists:
		return nil, false, absent
	}
	all := strings.Join(p.at(now), "")
	switch a.verb {
	case "srem", "schange":
		p, right := a.change(p, now)
		return p, true, right
	case "smembers":
		return p, true, all
	case "scard":
		return p, true, fmt.Sprint(len(all))
	case "scompact":
		return p, true, "OK"
	case "sismember":
		bits := []byte(a.members)
		for i := range bits {
			if bits[i] = '0'; strings.IndexByte(all, a.members[i]) >= 0 {
				bits[i] = '1'
			}
		}
		return p, true, string(bits)
	}
	if a.verb != "spop" && a.verb != "srandmember" {
		panic("the model lacks " + a.verb + ": add here what it does and answers")
	}
	for i := range answer {
		if strings.IndexByte(all, answer[i]) < 0 || strings.IndexByte(answer[i+1:], answer[i]) >= 0 {
			return p, true, "others"
		}
	}
	if len(answer) != min(a.count, len(all)) {
		return p, true, "more or fewer"
	}
	for i := 0; a.verb == "spop" && i < len(answer); i++ {
		p = p.without(answer[i : i+1])
	}
	return p, true, answer
}

// adds reports whether the action makes a set if there is none.
func (a action) adds() bool {
	return strings.HasPrefix(a.verb, "sadd") || a.verb == "schange" && strings.Contains(a.signs, "+")
}

// change returns the set after a change of its members, and the answer.
func (a action) change(p plain, now int64) (plain, string) {
	added := 0
	for i := range a.members {
		switch m := a.members[i : i+1]; {
		case a.verb == "srem", a.verb == "schange" && a.signs[i] == '-':
			p = p.without(m)
		case a.verb == "saddp":
			p = p.with(m, format.Until(a.begun, a.seconds))
		case a.verb == "saddnew" && p.has(m, now):
		default:
			p = p.with(m, 0)
			added++
		}
	}
	if a.verb == "saddnew" {
		return p, fmt.Sprint(added)
	}
	return p, "STORED"
}

// read converts a request to an action.
func read(request string) action {
	words := strings.Fields(request)
	a := action{verb: words[0], count: 1}
	switch a.verb {
	case "spop", "srandmember":
		if len(words) > 2 {
			fmt.Sscan(words[2], &a.count)
		}
	case "schange":
		for _, word := range words[2:] {
			a.signs += word[:1]
			a.members += word[1:2]
		}
	case "saddp":
		last := len(words) - 1
		fmt.Sscan(words[last], &a.seconds)
		a.members = letters(words[2:last])
	default:
		a.members = letters(words[2:])
	}
	return a
}

func letters(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteByte(word[0])
	}
	return b.String()
}

// readAnswer converts the answer of a verb to that of an action, nil if it is unknown.
func readAnswer(verb, answer string) any {
	first, rest, _ := strings.Cut(answer, "\r\n")
	switch {
	case answer == "" || strings.HasPrefix(first, "SERVER_ERROR"):
		return nil
	case first == "NOT_FOUND", first == "END":
		return absent
	case strings.HasPrefix(first, "VALUE k 0 "):
		members, _, _ := strings.Cut(rest, "\r\n")
		return letters(strings.Fields(members))
	case verb == "sismember":
		return strings.ReplaceAll(first, " ", "")
	}
	return first
}

// changing are the actions that have an effect which does not depend on their answer.
var changing = []string{"sadd", "saddnew", "saddp", "srem", "schange", "vanish"}

// operations converts calls for porcupine.
func operations(before string, calls []*verbtest.Call) []porcupine.Operation {
	var ops []porcupine.Operation
	if before != "" {
		ops = append(ops, verbtest.Operation(action{verb: "put", members: before[1:], life: verbtest.FirstLife}, "STORED", -1, -1))
	}
	for _, c := range calls {
		a := read(c.Request)
		a.life, a.begun, a.from, a.to = fmt.Sprint(c.Exptime), c.Begun, c.Since+c.Own.Least, c.Ended+c.Own.Most
		answer := readAnswer(a.verb, c.Answer)
		if c.All.Least < -stillKept && answer != "STORED" { // what has not expired by that clock may be gone
			if popped, _ := answer.(string); a.verb == "spop" && popped != absent && popped != "" {
				a = action{verb: "srem", members: popped}
			}
			answer, a.to = nil, max(a.to, c.Ended)
		}
		switch {
		case a.verb == "vanish" && c.To < verbtest.Unfinished:
			answer = ""
		case answer == nil && a.verb == "spop":
			a = action{verb: "srem", members: c.Intent}
		case answer == nil && slices.Contains(changing, a.verb):
		case answer == nil && a.verb != "end" && a.verb != "life":
			continue
		}
		ops = append(ops, verbtest.Operation(a, answer, c.From, c.To))
	}
	return ops
}

// inSomeOrder reports whether calls are linearizable, starting from a set.
func inSomeOrder(before string, calls []*verbtest.Call) bool {
	return verbtest.Linearizable(setModel, operations(before, calls))
}

func did(request, answer string, from, to int) *verbtest.Call {
	return &verbtest.Call{Request: request, Answer: answer, From: from, To: to, Begun: begun, Since: begun, Ended: begun}
}

func TestHistoryChecker(t *testing.T) {
	add, remove, count, pop := "sadd k a", "srem k a", "scard k", "spop k"
	later := func(c *verbtest.Call, since, ended int64) *verbtest.Call {
		c.Begun, c.Since, c.Ended = begun+since, begun+since, begun+ended
		return c
	}
	lasts := did("saddp k a 5", "STORED\r\n", 1, 2)
	gone := &verbtest.Call{Request: "vanish k", From: 3, To: 3}
	goes := &verbtest.Call{Request: "vanish k:x.0", From: 3, To: verbtest.Unfinished}
	popping := &verbtest.Call{Request: pop, Answer: "SERVER_ERROR lost\r\n", From: 3, To: 3, Intent: "a"}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"nothing", true, nil},
		{"in turn", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(count, "1\r\n", 3, 4)}},
		{"a lost addition", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(count, "NOT_FOUND\r\n", 3, 4)}},
		{"at the same time", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 4), did(count, "NOT_FOUND\r\n", 2, 3)}},
		{"in one step", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(count, "NOT_FOUND\r\n", 2, 3)}},
		{"evicted", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), gone, did(count, "NOT_FOUND\r\n", 4, 4)}},
		{"evicted and there", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), gone, did(count, "1\r\n", 4, 4)}},
		{"evicted in part", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), goes, did(count, "1\r\n", 4, 4), did(count, "NOT_FOUND\r\n", 5, 5)}},
		{"evicted in part, and back", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), goes, did(count, "NOT_FOUND\r\n", 4, 4), did(count, "1\r\n", 5, 5)}},
		{"one comes back", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(remove, "STORED\r\n", 3, 4), did(count, "0\r\n", 5, 6),
			did(count, "1\r\n", 7, 8)}},
		{"a failed one comes late", true, []*verbtest.Call{did(remove, "SERVER_ERROR lost\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did(count, "1\r\n", 5, 6), did(count, "0\r\n", 7, 8)}},
		{"a failed one comes twice", false, []*verbtest.Call{did(remove, "SERVER_ERROR lost\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did(count, "0\r\n", 5, 6), did(add, "STORED\r\n", 7, 8), did(count, "0\r\n", 9, 9)}},
		{"removed from nothing", false, []*verbtest.Call{did(remove, "STORED\r\n", 1, 2)}},
		{"order", false, []*verbtest.Call{did("sadd k b", "STORED\r\n", 1, 2), did(add, "STORED\r\n", 3, 4),
			did("smembers k", "VALUE k 0 3\r\na b\r\nEND\r\n", 5, 6)}},
		{"popped", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(pop, "VALUE k 0 1\r\na\r\nEND\r\n", 3, 4), did(count, "0\r\n", 5, 6)}},
		{"popped twice", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did(pop, "VALUE k 0 1\r\na\r\nEND\r\n", 3, 4),
			did(pop, "VALUE k 0 1\r\na\r\nEND\r\n", 3, 4)}},
		{"perhaps popped", true, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), popping, did(count, "1\r\n", 4, 4), did(count, "0\r\n", 5, 5)}},
		{"popped too few", false, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did(pop+" 2", "VALUE k 0 1\r\na\r\nEND\r\n", 3, 4)}},
		{"chosen twice", false, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did("srandmember k 2", "VALUE k 0 3\r\na a\r\nEND\r\n", 3, 4)}},
		{"new", true, []*verbtest.Call{did("saddnew k a a", "1\r\n", 1, 2), did("saddnew k b a", "1\r\n", 3, 4), did("smembers k", "VALUE k 0 3\r\na b\r\nEND\r\n", 5, 6)}},
		{"new twice", false, []*verbtest.Call{did("saddnew k a", "1\r\n", 1, 4), did("saddnew k a", "1\r\n", 1, 4)}},
		{"perhaps new", true, []*verbtest.Call{did("saddnew k a", "SERVER_ERROR lost\r\n", 1, 1), did("saddnew k a", "0\r\n", 2, 2)}},
		{"changed", true, []*verbtest.Call{did("schange k +a -a +b", "STORED\r\n", 1, 2), did("schange k -b +a", "STORED\r\n", 3, 4), did("smembers k", "VALUE k 0 1\r\na\r\nEND\r\n", 5, 6)}},
		{"changed in two steps", false, []*verbtest.Call{did(add, "STORED\r\n", 1, 2), did("schange k -a +b", "STORED\r\n", 3, 6), did(count, "0\r\n", 4, 5)}},
		{"nothing to change", true, []*verbtest.Call{did("schange k -a", "NOT_FOUND\r\n", 1, 2), did(count, "NOT_FOUND\r\n", 3, 4)}},
		{"expires", true, []*verbtest.Call{lasts, later(did(count, "1\r\n", 3, 4), 4999, 4999), later(did(count, "0\r\n", 5, 6), 5000, 5000)}},
		{"expires early", false, []*verbtest.Call{lasts, later(did(count, "0\r\n", 3, 4), 4000, 4999)}},
		{"expires late", false, []*verbtest.Call{lasts, later(did(count, "1\r\n", 3, 4), 5000, 9000)}},
		{"expires meanwhile", true, []*verbtest.Call{lasts, later(did(count, "0\r\n", 3, 4), 4000, 5000)}},
		{"stays", true, []*verbtest.Call{lasts, did(add, "STORED\r\n", 3, 4), later(did(count, "1\r\n", 5, 6), 9000, 9000)}},
		{"stays though there", false, []*verbtest.Call{lasts, did("saddnew k a", "0\r\n", 3, 4), later(did(count, "1\r\n", 5, 6), 9000, 9000)}},
		{"new once expired", true, []*verbtest.Call{lasts, later(did("saddnew k a", "1\r\n", 3, 4), 5000, 5000), later(did(count, "1\r\n", 5, 6), 9000, 9000)}},
		{"new or not", true, []*verbtest.Call{lasts, later(did("saddnew k a", "SERVER_ERROR lost\r\n", 3, 4), 4000, 5000), later(did(count, "1\r\n", 5, 6), 9000, 9000)}},
		{"last, as added again", false, []*verbtest.Call{lasts, did("sadd k b a", "STORED\r\n", 3, 4), did("smembers k", "VALUE k 0 3\r\na b\r\nEND\r\n", 5, 6)}},
		{"popped though expired", false, []*verbtest.Call{lasts, later(did(pop, "VALUE k 0 1\r\na\r\nEND\r\n", 3, 4), 5000, 5000)}},
		{"is it?", true, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did("sismember k a c b", "1 0 1\r\n", 3, 4)}},
		{"is it not?", false, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did("sismember k a c b", "1 1 1\r\n", 3, 4)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
