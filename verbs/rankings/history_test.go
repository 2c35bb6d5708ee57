package rankings

import (
	"fmt"
	"github.com/anishathalye/porcupine"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in
// which, each carried out at one moment between its beginning and its end, they have
// the same answers. Porcupine searches for such an order, given a model of rankings.
//
// When an increment expires depends on the clock that is asked. So an answer is right if it
// has the scores of any time between the call's beginning and its end by the clock of its proxy; or by
// that of any, if it may have been given as an order.
//
// A state is how long the ranking lives, as a race tells it, an exclamation mark and a log of the ranking;
// the empty string is no ranking.

// action is what a call or a mishap does. Its words are those after the key.
type action struct {
	verb     string
	words    []string
	from, to int64  // when it was carried out, in milliseconds
	begun    int64  // when it began, by its own clock
	life     string // of a ranking that it creates
}

// stillKept is for how many milliseconds at least, by memcached's clock, an increment that has expired is
// kept for proxies whose clocks are behind.
const stillKept = 4000

// absent is the answer that there is no ranking, or no such member. An unknown answer is nil.
const absent = "-"

var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{""} },
	Step: func(state, input, output any) []any {
		a := input.(action)
		answer, known := output.(string)
		life, before, exists := strings.Cut(state.(string), "!")
		switch {
		case exists:
			before = "!" + before
		case a.verb == "life":
			return only(answer == absent, "")
		default:
			life = a.life
		}
		switch a.verb {
		case "life":
			return only(answer == life || answer == verbtest.FirstLife && life == "0", state)
		case "end": // its members may have expired by now
			return only(before != "" && life != "0" && len(plain{}.apply(before[1:], 0).at(a.to+stillKept)) == 0, "")
		case "zpopmin", "zpopmax", "ztrim":
			if before == "" {
				return only(!known || answer == absent, "")
			}
			return a.without(life, before, answer, known)
		}
		after := a.after(before)
		right := !known || a.explains(before, after, answer)
		if after != "" {
			after = life + after
		}
		return only(right, after)
	},
}

// sureModel is for histories in which every answer shows the state after it, and judges them much faster.
var sureModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		states := model.Step(state, input, output)
		if len(states) == 0 {
			return false, state
		}
		return true, states[0]
	},
}

// isSure reports whether the answer of an action shows what it has removed.
func isSure(o porcupine.Operation) bool {
	switch verb := o.Input.(action).verb; verb {
	case "zpopmin", "zpopmax":
		return o.Output != nil
	default:
		return verb != "ztrim"
	}
}

// only returns the one state that is possible, or none.
func only(possible bool, state any) []any {
	if !possible {
		return nil
	}
	return []any{state}
}

// without returns the states in which a ranking may be after members at one of its ends were removed, which depends on
// the time.
func (a action) without(life, before, answer string, known bool) (states []any) {
	p := plain{}.apply(before[1:], 0)
	for _, now := range a.times(p) {
		all := p.at(now)
		n := 1
		if len(a.words) > 0 {
			n = int(number(a.words[0]))
		}
		right := ""
		switch {
		case a.verb == "zpopmax", a.verb == "ztrim" && n < 0:
			slices.Reverse(all)
		}
		if a.verb == "ztrim" {
			n, right = len(all)-max(n, -n), "STORED"
		}
		all = all[:max(min(n, len(all)), 0)]
		if a.verb != "ztrim" {
			right = strings.Join(all, " ")
		}
		after := plain{}.apply(before[1:], 0)
		for _, member := range all {
			name, _, _ := strings.Cut(member, " ")
			delete(after.members, name)
		}
		if state := any(life + "!" + after.log()); (!known || answer == right) && !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	return states
}

// log returns the log of the state.
func (p plain) log() string {
	var b strings.Builder
	for _, member := range slices.Sorted(maps.Keys(p.members)) {
		for _, e := range p.members[member].shortened() {
			until := ""
			if e.sign == signExpire {
				until = fmt.Sprintf("@%d", e.until)
			}
			fmt.Fprintf(&b, "z%c%d%s:%s ", e.sign, e.n, until, member)
		}
	}
	return b.String()
}

// shortened returns the parts without those of which the score does not depend: what comes before the first increment
// that expires is one number, and so are additions without anything in between.
func (m parts) shortened() (short parts) {
	first := slices.IndexFunc(m, func(p part) bool { return p.sign == signExpire })
	if first < 0 {
		first = len(m)
	}
	if score, ok := m[:first].at(0); ok {
		short = parts{{signAdd, score, 0}}
	}
	for _, p := range m[first:] {
		last := len(short) - 1
		if last >= 0 && p.sign == signAdd && short[last].sign == signAdd {
			short[last].n += p.n
		} else {
			short = append(short, p)
		}
	}
	return short
}

// stateOf returns the state of a ranking with the given log.
func stateOf(log string) string { return "!" + plain{}.apply(log, 0).log() }

// tokens returns the tokens that the action appends.
func (a action) tokens() (log string) {
	pair := func(format string, sign int64) {
		for i := 0; i+1 < len(a.words); i += 2 {
			log += fmt.Sprintf(format, sign*number(a.words[i]), a.words[i+1])
		}
	}
	switch a.verb {
	case "zadd":
		pair("z=%d:%s ", 1)
	case "zsub":
		pair("z+%d:%s ", -1)
	case "zincrby":
		pair("z+%d:%s ", 1)
	case "zincrbyp":
		seconds := number(a.words[len(a.words)-1])
		pair(fmt.Sprintf("z~%%d@%d:%%s ", format.Until(a.begun, seconds)), 1)
	case "zmax":
		pair("z(%d:%s ", 1)
	case "zmin":
		pair("z)%d:%s ", 1)
	case "zinc", "zdec", "zrem":
		token := map[string]string{"zinc": "z+1:", "zdec": "z+-1:", "zrem": "z-"}[a.verb]
		for _, member := range a.words {
			log += token + member + " "
		}
	}
	return log
}

// after returns the state after an action.
func (a action) after(state string) string {
	switch tokens := a.tokens(); {
	case a.verb == "vanish":
		return ""
	case a.verb == "put":
		return a.words[0]
	case tokens == "", state == "" && a.verb == "zrem":
		return state
	default:
		return stateOf(strings.TrimPrefix(state, "!") + tokens)
	}
}

// explains reports whether the action has this answer at any time at which it may have been
// carried out.
func (a action) explains(before, after, answer string) bool {
	p := plain{}.apply(strings.TrimPrefix(after, "!"), 0)
	return slices.ContainsFunc(a.times(p), func(now int64) bool { return a.right(before, p, now) == answer })
}

// times returns the times at which the action may have been carried out, as far as they make a difference.
func (a action) times(p plain) []int64 {
	times := []int64{a.from}
	for _, m := range p.members {
		for _, e := range m {
			if t := 1000 * e.until; t > a.from && t <= a.to {
				times = append(times, t)
			}
		}
	}
	return times
}

// right returns the right answer at a time, given the state before and the ranking after the
// action.
func (a action) right(before string, p plain, now int64) string {
	switch a.verb {
	case "vanish", "put":
		return "STORED"
	case "zadd", "zmax", "zmin", "zsub", "zinc", "zdec":
		return "STORED"
	case "zincrby", "zincrbyp":
		return p.sums(a, now)
	}
	if before == "" {
		return absent
	}
	all := p.at(now)
	switch a.verb {
	case "zrem":
		return "STORED"
	case "zcard":
		return fmt.Sprint(len(all))
	case "zget":
		return p.scores(a.words, now)
	case "zrevrank", "zrevrange", "zrevbyscore", "zrevaround":
		slices.Reverse(all)
	case "zcount":
		return fmt.Sprint(len(inBounds(all, a.words[0], a.words[1])))
	}
	switch {
	case strings.HasSuffix(a.verb, "rank"):
		if i := placeOf(all, a.words[0]); i >= 0 {
			return fmt.Sprint(i)
		}
		return absent
	case strings.HasSuffix(a.verb, "around"):
		i, n := placeOf(all, a.words[0]), int(number(a.words[1]))
		if i < 0 {
			return absent
		}
		return rangeIn(all[max(i-n, 0):min(i+1+n, len(all))], append([]string{"0", "-1"}, a.words[2:]...))
	case a.verb == "zbyscore":
		return rangeIn(inBounds(all, a.words[0], a.words[1]), page(a.words[2:]))
	case a.verb == "zrevbyscore":
		return rangeIn(inBounds(all, a.words[1], a.words[0]), page(a.words[2:]))
	}
	return rangeIn(all, a.words)
}

// placeOf returns the place of a member among members and scores, or -1.
func placeOf(all []string, member string) int {
	return slices.IndexFunc(all, func(m string) bool { return strings.HasPrefix(m, member+" ") })
}

// inBounds returns those of members and scores whose scores are between two bounds.
func inBounds(all []string, min, max string) (some []string) {
	for _, m := range all {
		_, score, _ := strings.Cut(m, " ")
		if n := number(score); (min == "-" || min != "+" && n >= number(min)) && (max == "+" || max != "-" && n <= number(max)) {
			some = append(some, m)
		}
	}
	return some
}

// page returns the words of a range that follow bounds, with an offset and a count.
func page(words []string) []string {
	if len(words) < 2 {
		words = append([]string{"0", "-1"}, words...)
	}
	return words
}

// scores returns the scores of members.
func (p plain) scores(members []string, now int64) string {
	var text []string
	for _, member := range members {
		if score, ok := p.members[member].at(now); ok {
			text = append(text, fmt.Sprint(score))
		} else {
			text = append(text, "null")
		}
	}
	return strings.Join(text, " ")
}

// sums returns the scores after each of an action's increments, given those after all.
func (p plain) sums(a action, now int64) string {
	var text []string
	for i := 0; i+1 < len(a.words); i += 2 {
		score, _ := p.members[a.words[i+1]].at(now)
		expired := a.verb == "zincrbyp" && 1000*format.Until(a.begun, number(a.words[len(a.words)-1])) <= now
		for j := i + 2; j+1 < len(a.words) && !expired; j += 2 {
			if a.words[j+1] == a.words[i+1] {
				score -= number(a.words[j])
			}
		}
		text = append(text, fmt.Sprint(score))
	}
	return strings.Join(text, " ")
}

// rangeIn returns what a request with the given words answers, of all members and scores.
func rangeIn(all, words []string) string {
	from := min(int(number(words[0])), len(all))
	to := len(all)
	if count := int(number(words[1])); count >= 0 {
		to = min(from+count, len(all))
	}
	text := slices.Clone(all[from:to])
	for i := range text {
		if len(words) < 3 {
			text[i], _, _ = strings.Cut(text[i], " ")
		}
	}
	return strings.Join(text, " ")
}

// readAnswer converts the answer of a verb to that of an action, nil if it is unknown.
func readAnswer(answer string) any {
	first, rest, _ := strings.Cut(answer, "\r\n")
	switch {
	case answer == "" || strings.HasPrefix(first, "SERVER_ERROR"):
		return nil
	case first == "NOT_FOUND", first == "END":
		return absent
	case strings.HasPrefix(first, "VALUE k 0 "):
		values, _, _ := strings.Cut(rest, "\r\n")
		return values
	}
	return first
}

// operations converts calls for porcupine.
func operations(before string, calls []*verbtest.Call) []porcupine.Operation {
	var ops []porcupine.Operation
	if before != "" {
		ops = append(ops, verbtest.Operation(action{verb: "put", words: []string{before}, life: verbtest.FirstLife}, "STORED", -1, -1))
	}
	for _, c := range calls {
		words := strings.Fields(c.Request)
		clocks := c.Own
		if strings.HasPrefix(words[0], "zincrby") { // perhaps an order, which another proxy has carried out
			clocks = c.All
		}
		a := action{words[0], words[2:], c.Since + clocks.Least, c.Ended + clocks.Most, c.Begun, fmt.Sprint(c.Exptime)}
		if last := len(a.words) - 1; last >= 0 && a.words[last] == "noreply" {
			a.words = a.words[:last]
		}
		answer := readAnswer(c.Answer)
		removes := a.verb == "zpopmin" || a.verb == "zpopmax" || a.verb == "ztrim"
		if c.All.Least < -stillKept && answer != "STORED" { // what has not expired by that clock may be gone
			if text, ok := answer.(string); ok && removes && text != absent { // then the scores may be others
				a.verb, a.words = "zrem", everySecond(strings.Fields(text))
				answer = "STORED"
			} else {
				answer = nil
			}
		}
		if removes && c.All.Least < -stillKept {
			a.to += format.OutlivedAt(0)
		}
		switch {
		case a.verb == "vanish" && c.To < verbtest.Unfinished:
			answer = "STORED"
		case answer == "STORED" && a.verb == "zincrby": // without a reply
			answer, a.verb = "STORED", "zsub"
			a.words = slices.Clone(a.words)
			for i := 0; i < len(a.words); i += 2 {
				a.words[i] = fmt.Sprint(-number(a.words[i]))
			}
		case answer == nil && a.tokens() == "" && a.verb != "vanish" && !removes:
			continue
		}
		ops = append(ops, verbtest.Operation(a, answer, c.From, c.To))
	}
	return ops
}

// everySecond returns the members among members and scores.
func everySecond(words []string) (members []string) {
	for i := 0; i < len(words); i += 2 {
		members = append(members, words[i])
	}
	return members
}

// inSomeOrder reports whether calls are linearizable, starting from a ranking.
func inSomeOrder(before string, calls []*verbtest.Call) bool {
	ops := operations(before, calls)
	if slices.ContainsFunc(ops, func(o porcupine.Operation) bool { return !isSure(o) }) {
		return verbtest.Linearizable(model.ToModel(), ops)
	}
	return verbtest.Linearizable(sureModel, ops)
}

func did(request, answer string, from, to int) *verbtest.Call {
	return &verbtest.Call{Request: request, Answer: answer, From: from, To: to, Begun: begun, Since: begun, Ended: begun}
}

func TestHistoryChecker(t *testing.T) {
	list := func(values string) string { return fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(values), values) }
	later := func(c *verbtest.Call, since, ended int64) *verbtest.Call {
		c.Begun, c.Since, c.Ended = begun+since, begun+since, begun+ended
		return c
	}
	const stored = "STORED\r\n"
	look := "zrange k 0 -1 withscores"
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"in turn", true, []*verbtest.Call{did("zadd k 5 a 3 b", stored, 1, 2), did("zinc k b", stored, 3, 4), did(look, list("b 4 a 5"), 5, 6)}},
		{"lost", false, []*verbtest.Call{did("zinc k a", stored, 1, 2), did("zinc k a", stored, 3, 4), did(look, list("a 1"), 5, 6)}},
		{"forgotten", true, []*verbtest.Call{did("zinc k a", stored, 1, 2), did("zadd k 7 a", stored, 3, 4), did("zget k a b", "7 null\r\n", 5, 6)}},
		{"the same sum twice", false, []*verbtest.Call{did("zincrby k 1 a", "1\r\n", 1, 4), did("zincrby k 1 a", "1\r\n", 1, 4)}},
		{"different sums", true, []*verbtest.Call{did("zincrby k 1 a", "2\r\n", 1, 4), did("zincrby k 1 a", "1\r\n", 1, 4)}},
		{"sums of one call", true, []*verbtest.Call{did("zincrby k 1 a 5 b 2 a", "1 5 3\r\n", 1, 4)}},
		{"perhaps added", true, []*verbtest.Call{did("zincrby k 1 a", "SERVER_ERROR lost\r\n", 1, 1), did("zincrby k 1 a", "2\r\n", 2, 2)}},
		{"counted twice", false, []*verbtest.Call{did("zincrby k 1 a", "SERVER_ERROR lost\r\n", 1, 1), did("zincrby k 1 a", "3\r\n", 2, 2)}},
		{"evicted", true, []*verbtest.Call{did("zinc k a", stored, 1, 2), did("vanish k", "", 3, 3), did(look, "END\r\n", 4, 4)}},
		{"expires", true, []*verbtest.Call{did("zincrbyp k 1 a 5", "1\r\n", 1, 2), later(did("zcard k", "1\r\n", 3, 4), 4999, 4999), later(did("zcard k", "0\r\n", 5, 6), 5000, 5000)}},
		{"expires early", false, []*verbtest.Call{did("zincrbyp k 1 a 5", "1\r\n", 1, 2), later(did("zcard k", "0\r\n", 3, 4), 4000, 4999)}},
		{"expires late", false, []*verbtest.Call{did("zincrbyp k 1 a 5", "1\r\n", 1, 2), later(did("zcard k", "1\r\n", 3, 4), 5000, 9000)}},
		{"expires meanwhile", true, []*verbtest.Call{did("zincrbyp k 1 a 5", "1\r\n", 1, 2), later(did("zcard k", "0\r\n", 3, 4), 4000, 5000)}},
		{"ranks", true, []*verbtest.Call{did("zadd k 5 a 3 b 5 c", stored, 1, 2), did("zrank k c", "2\r\n", 3, 4), did("zrevrank k b", "2\r\n", 3, 4), did("zrank k d", "NOT_FOUND\r\n", 3, 4)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
