package lists

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in
// which, each carried out at one moment between its beginning and its end, they have
// the same answers. Porcupine searches for such an order, given a model of lists.
//
// A state is how long the list lives, as a race tells it, an exclamation mark and the elements of the list
// with a space between; the empty string is no list. An element with data is +<flags>.<data>, the data escaped. Two of
// them never have the same flags, and none has 0, so that they can't be confused.

// action is what a call or a mishap does. Its words are those after the key.
type action struct {
	verb  string
	words []string
	life  string // of a list that it creates
}

// absent is the answer that there is no list. An unknown answer is nil.
const absent = "-"

var listModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		answer, known := output.(string)
		next, right := input.(action).after(state.(string))
		return !known || answer == right || answer == verbtest.FirstLife && right == "0", next
	},
}

// after returns the state after an action, and the right answer.
func (a action) after(state string) (next, right string) {
	if state == "" && !a.adds() {
		return "", absent
	}
	life, values, exists := strings.Cut(state, "!")
	if !exists {
		life = a.life
	}
	before := deque(strings.Fields(values))
	switch {
	case a.verb == "life":
		return state, life
	case a.verb == "end" && (len(before) > 0 || life == "0"):
		return state, "wrong"
	case a.verb == "end":
		return "", "STORED"
	}
	list, right := a.on(before)
	if right == "vanished" {
		return "", ""
	}
	return life + "!" + strings.Join(list, " "), right
}

// adds reports whether the action adds elements.
func (a action) adds() bool {
	return strings.HasSuffix(a.verb, "push") || strings.HasSuffix(a.verb, "put")
}

// told returns the answer with elements, of which the first is at a place.
func told(list deque, place int) string {
	all := strings.Join(list, " ")
	if slices.ContainsFunc(list, func(e string) bool { return e[0] == '+' }) {
		return fmt.Sprint("from ", place, ": ", all)
	}
	return all
}

// on returns the list after an action on it, and the right answer.
func (a action) on(list deque) (after deque, right string) {
	n := len(list)
	switch a.verb {
	case "rpush", "rput":
		return append(list, a.words...), "STORED"
	case "lpush", "lput":
		for _, value := range a.words {
			list = slices.Insert(list, 0, value)
		}
		return list, "STORED"
	case "lrem":
		count := number(a.words[0])
		sign, times := removeFirst, count
		if count < 0 {
			sign, times = removeLast, -count
		} else if count == 0 {
			sign, times = removeAll, 1
		}
		return list.apply(strings.Repeat(fmt.Sprintf("l%c%s ", sign, a.words[1]), times)), "STORED"
	case "tokens": // what a call that failed was about to append
		return list.apply(a.words[0]), "STORED"
	case "llen":
		return list, fmt.Sprint(n)
	case "lrange":
		from, to := 0, n
		if len(a.words) > 0 {
			from, to = between(n, number(a.words[0]), number(a.words[1]))
		}
		return list, told(list[from:to], from)
	case "ltrim":
		from, to := between(n, number(a.words[0]), number(a.words[1]))
		return list[from:to], "STORED"
	case "lpop", "rpop":
		count := 1
		if len(a.words) > 0 {
			count = number(a.words[0])
		}
		if count = min(count, n); a.verb == "lpop" {
			return list[count:], told(list[:count], 0)
		}
		popped := slices.Clone(list[n-count:])
		slices.Reverse(popped)
		return list[:n-count], told(popped, 0)
	case "vanish":
		return nil, "vanished"
	}
	panic("the model lacks " + a.verb + ": add here what it does and answers")
}

func number(word string) (n int) {
	fmt.Sscan(word, &n)
	return n
}

// between returns the places from start to stop in a list of n elements, as Redis has them.
func between(n, start, stop int) (from, to int) {
	if start < 0 {
		start += n
	}
	if stop < 0 {
		stop += n
	}
	start, stop = max(start, 0), min(stop, n-1)
	if start > stop {
		return 0, 0
	}
	return start, stop + 1
}

// readAnswer converts the answer of a verb to that of an action, nil if it is unknown.
func readAnswer(answer string) any {
	first, rest, _ := strings.Cut(answer, "\r\n")
	switch {
	case answer == "" || strings.HasPrefix(first, "SERVER_ERROR"):
		return nil
	case first == "NOT_FOUND", first == "END":
		return absent
	case strings.HasPrefix(first, "VALUE k 0 ") && len(strings.Fields(first)) == 4:
		values, _, _ := strings.Cut(rest, "\r\n")
		return values
	case strings.HasPrefix(first, "VALUE k "):
		return readElements(answer)
	}
	return first
}

// readElements converts an answer with a value for each element.
func readElements(answer string) any {
	var list deque
	first := -1
	for answer != "END\r\n" {
		line, rest, _ := strings.Cut(answer, "\r\n")
		var flags, size, place int
		if n, _ := fmt.Sscanf(line, "VALUE k %d %d %d", &flags, &size, &place); n < 3 || size+2 > len(rest) || rest[size:size+2] != "\r\n" {
			return "malformed: " + answer
		}
		if first < 0 {
			first = place
		}
		if place != first+len(list) {
			return "places in disorder"
		}
		element := rest[:size]
		if flags != 0 {
			element = withData(flags, element)
		}
		list, answer = append(list, element), rest[size+2:]
	}
	if all := told(list, first); strings.HasPrefix(all, "from ") {
		return all
	}
	return "words, each as a value"
}

// withData returns an element with data as a state has it.
func withData(flags int, data string) string {
	return fmt.Sprintf("+%d.%s", flags, appendEscaped(nil, []byte(data)))
}

// readRequest converts a request to an action, which creates a list that lives for some time.
func readRequest(request, life string) action {
	line, data, _ := strings.Cut(request, "\r\n")
	words := strings.Fields(line)
	if strings.HasSuffix(words[0], "put") {
		return action{words[0], []string{withData(number(words[2]), data)}, life}
	}
	if n := len(words) - 2; n > 1 && words[n] == verbs.WaitWord && strings.HasSuffix(words[0], "pop") {
		words = words[:n]
	}
	return action{words[0], words[2:], life}
}

// initial are the elements with data of the lists before races, by their ids.
var initial = map[string]string{"element-0001": "+1001.a~`b", "element-0002": "+1002."}

// elementsByID returns elements with data by their ids, as calls were about to push them.
func elementsByID(calls []*verbtest.Call) map[string]string {
	all := maps.Clone(initial)
	for _, c := range calls {
		if c.Intent != "" && strings.HasSuffix(strings.Fields(c.Request)[0], "put") {
			all[c.Intent[len("l+>"):][:idSize]] = "+" + strings.TrimSpace(c.Intent[len("l+>")+idSize+len("."):])
		}
	}
	return all
}

// named returns tokens with the elements in place of their ids.
func named(tokens string, byID map[string]string) string {
	var all []string
	for token := range strings.FieldsSeq(tokens) {
		if id, found := strings.CutPrefix(token, "l+-"); found {
			token = "l-" + byID[id]
		}
		all = append(all, token)
	}
	return strings.Join(all, " ")
}

// operations converts calls for porcupine.
func operations(before string, calls []*verbtest.Call) []porcupine.Operation {
	var ops []porcupine.Operation
	byID := elementsByID(calls)
	if before != "" {
		ops = append(ops, verbtest.Operation(action{"rpush", strings.Fields(before[1:]), verbtest.FirstLife}, "STORED", -1, -1))
	}
	for _, c := range calls {
		a := readRequest(c.Request, fmt.Sprint(c.Exptime))
		answer := readAnswer(c.Answer)
		switch {
		case a.verb == "vanish" && c.To < verbtest.Unfinished:
			answer = ""
		case answer != nil, a.adds(), a.verb == "lrem", a.verb == "vanish":
		case strings.HasPrefix(c.Intent, "l~"): // it does what it does whenever that is
		case c.Intent != "":
			a = action{"tokens", []string{named(c.Intent, byID)}, ""}
		default:
			continue
		}
		ops = append(ops, verbtest.Operation(a, answer, c.From, c.To))
	}
	return ops
}

// inSomeOrder reports whether calls are linearizable, starting from a list.
func inSomeOrder(before string, calls []*verbtest.Call) bool {
	return verbtest.Linearizable(listModel, operations(before, calls))
}

func did(request, answer string, from, to int) *verbtest.Call {
	return &verbtest.Call{Request: request, Answer: answer, From: from, To: to}
}

// carried is a push or pop with a time to live of n at a step n.
func carried(n int, request string) *verbtest.Call {
	answer := "STORED\r\n"
	if strings.HasPrefix(request, "lpop") {
		answer = "VALUE k 0 1\r\na\r\nEND\r\n"
	}
	return &verbtest.Call{Request: request, Exptime: int64(n), Answer: answer, From: n, To: n}
}

func TestHistoryChecker(t *testing.T) {
	list := func(values string) string { return fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(values), values) }
	a, b, pop, look := "rpush k a", "rpush k b", "lpop k", "lrange k"
	put := "lput k 7 3\r\nx y"
	values := func(all ...string) string { return "VALUE k " + strings.Join(all, "\r\nVALUE k ") + "\r\nEND\r\n" }
	pushed := did(put, "STORED\r\n", 1, 2)
	pushed.Intent = "l+<element-0009.7.x~`y "
	poppedByID := &verbtest.Call{Request: pop, Answer: "SERVER_ERROR lost\r\n", From: 3, To: 3, Intent: "l+-element-0009 "}
	popping := &verbtest.Call{Request: pop, Answer: "SERVER_ERROR lost\r\n", From: 3, To: 3, Intent: "l(a "}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"in turn", true, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did(b, "STORED\r\n", 3, 4), did(look, list("a b"), 5, 6)}},
		{"out of order", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did(b, "STORED\r\n", 3, 4), did(look, list("b a"), 5, 6)}},
		{"at the same time", true, []*verbtest.Call{did(a, "STORED\r\n", 1, 4), did(b, "STORED\r\n", 3, 4), did(look, list("b a"), 5, 6)}},
		{"lost", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did(a, "STORED\r\n", 3, 4), did(look, list("a"), 5, 6)}},
		{"evicted", true, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), {Request: "vanish k", From: 3, To: 3}, did(look, "END\r\n", 4, 4)}},
		{"popped twice", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did(pop, list("a"), 3, 4), did(pop, list("a"), 3, 4)}},
		{"last in, first out", false, []*verbtest.Call{did(a+" b", "STORED\r\n", 1, 2), did(pop, list("b"), 3, 4)}},
		{"perhaps popped", true, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), popping, did(look, list("a"), 4, 4), did(look, list(""), 5, 5)}},
		{"from the right", true, []*verbtest.Call{did(a+" b c", "STORED\r\n", 1, 2), did("rpop k 2", list("c b"), 3, 4)}},
		{"trimmed", true, []*verbtest.Call{did(a+" b c", "STORED\r\n", 1, 2), did("ltrim k -2 5", "STORED\r\n", 3, 4), did(look, list("b c"), 5, 5)}},
		{"the last removed", true, []*verbtest.Call{did("lpush k a b a", "STORED\r\n", 1, 2), did("lrem k -1 a", "STORED\r\n", 3, 4), did(look, list("a b"), 5, 5)}},
		{"ended", true, []*verbtest.Call{carried(1, a), carried(3, pop), did("end k", "STORED", 3, 3), did("life k", "-", 5, 5)}},
		{"ended, though it lives for ever", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), carried(3, pop), did("end k", "STORED", 3, 3), did("life k", "-", 5, 5)}},
		{"ended too early", false, []*verbtest.Call{carried(1, a), did("end k", "STORED", 3, 3), did("life k", "-", 5, 5)}},
		{"made anew", true, []*verbtest.Call{carried(1, a), carried(3, pop), did("end k", "STORED", 3, 3), carried(5, b), did("life k", "5", 6, 6)}},
		{"lives on", false, []*verbtest.Call{carried(1, a), carried(3, pop), did("end k", "STORED", 3, 3), carried(5, b), did("life k", "1", 6, 6)}},
		{"with data", true, []*verbtest.Call{did(put, "STORED\r\n", 1, 2), did(a, "STORED\r\n", 3, 4), did("lrange k", values("7 3 0\r\nx y", "0 1 1\r\na"), 5, 5), did("rpop k 2", values("0 1 0\r\na", "7 3 1\r\nx y"), 6, 7)}},
		{"with other data", false, []*verbtest.Call{did(put, "STORED\r\n", 1, 2), did(pop, values("7 3 0\r\nx z"), 3, 4)}},
		{"with other flags", false, []*verbtest.Call{did(put, "STORED\r\n", 1, 2), did(pop, values("8 3 0\r\nx y"), 3, 4)}},
		{"at another place", false, []*verbtest.Call{did(put, "STORED\r\n", 1, 2), did(pop, values("7 3 1\r\nx y"), 3, 4)}},
		{"words as values", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did(pop, values("0 1 0\r\na"), 3, 4)}},
		{"data as a word", false, []*verbtest.Call{did(put, "STORED\r\n", 1, 2), did(pop, list("x y"), 3, 4)}},
		{"perhaps popped, with data", true, []*verbtest.Call{pushed, poppedByID, did(look, list(""), 5, 5)}},
		{"comes back", false, []*verbtest.Call{did(a, "STORED\r\n", 1, 2), did("lrem k 0 a", "STORED\r\n", 3, 4), did("llen k", "1\r\n", 5, 5)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
