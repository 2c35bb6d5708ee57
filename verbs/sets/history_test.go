package sets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in
// which, each carried out at one moment between its beginning and its end, they have
// the same answers. Porcupine searches for such an order, given a model of sets.
//
// A member is identified by its first letter, so a set is an exclamation mark and the
// letters of its members in order. Before it is how long the set lives, as a race tells it; the empty
// string is no set.

// action is what a call or a mishap does.
type action struct {
	verb    string
	members string // letters
	signs   string // of these, for a schange
	count   int
	life    string // of a set that it creates
}

// absent is the answer that there is no set. An unknown answer is nil.
const absent = "-"

var setModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		answer, known := output.(string)
		next, right := step(state.(string), input.(action), answer)
		return !known || answer == right || answer == verbtest.FirstLife && right == "0", next
	},
}

// step is after for a set with how long it lives.
func step(state string, a action, answer string) (next, right string) {
	life, set, exists := strings.Cut(state, "!")
	switch {
	case exists:
		set = "!" + set
	case a.verb == "life":
		return "", absent
	default:
		life = a.life
	}
	switch {
	case a.verb == "life":
		return state, life
	case a.verb == "end" && (len(set) > 1 || life == "0"):
		return state, "wrong"
	case a.verb == "end":
		return "", "STORED"
	}
	if next, right = after(set, a, answer); next != "" {
		next = life + next
	}
	return next, right
}

// after returns the set after an action and the right answer. If chance decides, that
// is answer if it is possible, and something else if not.
func after(set string, a action, answer string) (next, right string) {
	if a.verb == "sadd" || a.verb == "saddnew" || a.verb == "schange" && strings.Contains(a.signs, "+") {
		if set == "" {
			set = "!"
		}
		before := len(set)
		for i, m := range a.members {
			if a.verb == "schange" && a.signs[i] == '-' {
				set = without(set, string(m))
			} else if !strings.ContainsRune(set, m) {
				set += string(m)
			}
		}
		if a.verb == "saddnew" {
			return set, fmt.Sprint(len(set) - before)
		}
		return set, "STORED"
	}
	if set == "" {
		return "", absent
	}
	switch a.verb {
	case "vanish":
		return "", ""
	case "srem", "schange":
		return without(set, a.members), "STORED"
	case "smembers":
		return set, set[1:]
	case "scard":
		return set, fmt.Sprint(len(set) - 1)
	case "scompact":
		return set, "OK"
	case "sismember":
		bits := []byte(a.members)
		for i := range bits {
			if bits[i] = '0'; strings.IndexByte(set, a.members[i]) > 0 {
				bits[i] = '1'
			}
		}
		return set, string(bits)
	}
	if a.verb != "spop" && a.verb != "srandmember" {
		panic("the model lacks " + a.verb + ": add here what it does and answers")
	}
	for i := range answer {
		if strings.IndexByte(set, answer[i]) < 1 || strings.IndexByte(answer[i+1:], answer[i]) >= 0 {
			return set, "others"
		}
	}
	if len(answer) != min(a.count, len(set)-1) {
		return set, "more or fewer"
	}
	if a.verb == "spop" {
		set = without(set, answer)
	}
	return set, answer
}

func without(set, members string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(members, r) {
			return -1
		}
		return r
	}, set)
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
var changing = []string{"sadd", "saddnew", "srem", "schange", "vanish"}

// operations converts calls for porcupine.
func operations(before string, calls []*verbtest.Call) []porcupine.Operation {
	var ops []porcupine.Operation
	if before != "" {
		ops = append(ops, verbtest.Operation(action{verb: "sadd", members: before[1:], life: verbtest.FirstLife}, "STORED", -1, -1))
	}
	for _, c := range calls {
		a := read(c.Request)
		a.life = fmt.Sprint(c.Exptime)
		answer := readAnswer(a.verb, c.Answer)
		switch {
		case a.verb == "vanish" && c.To < verbtest.Unfinished:
			answer = ""
		case answer == nil && a.verb == "spop":
			a = action{verb: "srem", members: c.Intent}
		case answer == nil && slices.Contains(changing, a.verb):
		case answer == nil:
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
	return &verbtest.Call{Request: request, Answer: answer, From: from, To: to}
}

func TestHistoryChecker(t *testing.T) {
	add, remove, count, pop := "sadd k a", "srem k a", "scard k", "spop k"
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
		{"is it?", true, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did("sismember k a c b", "1 0 1\r\n", 3, 4)}},
		{"is it not?", false, []*verbtest.Call{did("sadd k a b", "STORED\r\n", 1, 2), did("sismember k a c b", "1 1 1\r\n", 3, 4)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
