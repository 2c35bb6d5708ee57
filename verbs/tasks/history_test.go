package tasks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in which,
// each carried out at one moment between its beginning and its end, they have the same answers.
// Porcupine searches for such an order, given a model of queues.
//
// The model is not determined: which of the due tasks a call takes is its own choice, and when
// exactly it has looked at its clock is known only within limits. A call whose outcome is unknown
// may have done several things.

// state is a queue, as text so that equal ones are equal: an exclamation mark, and a line for
// each task. The empty string is no queue.
type state = string

// job is a task in the model.
type job struct {
	id, content   string
	put           string // empty until an answer has told it
	when, until   span
	attempts      int64
	gone, perhaps bool // its content was evicted; whether it was put is unknown
}

// span is the earliest and the latest that a time may be, in milliseconds.
type span struct{ from, to int64 }

func (s span) has(t int64) bool        { return t >= s.from && t <= s.to }
func (s span) plus(seconds int64) span { return span{s.from + 1000*seconds, s.to + 1000*seconds} }

// at returns when the task can be taken.
func (j *job) at() span { return span{max(j.when.from, j.until.from), max(j.when.to, j.until.to)} }

func (j *job) text() string {
	return fmt.Sprintf("%s %s %s %d %d %d %d %d %t %t", j.id, j.content, j.put, j.when.from, j.when.to, j.until.from, j.until.to, j.attempts, j.gone, j.perhaps)
}

func readJob(text string) (j job) {
	w := strings.Split(text, " ")
	j.id, j.content, j.put = w[0], w[1], w[2]
	j.when, j.until = span{number(w[3]), number(w[4])}, span{number(w[5]), number(w[6])}
	j.attempts, j.gone, j.perhaps = number(w[7]), w[8] == "true", w[9] == "true"
	return j
}

// jobs returns the tasks in a state.
func jobs(of state) (all []job) {
	for line := range strings.SplitSeq(strings.TrimPrefix(of, "!"), "\n") {
		if line != "" {
			all = append(all, readJob(line))
		}
	}
	return all
}

func stateOfJobs(all []job) state {
	var lines []string
	for i := range all {
		lines = append(lines, all[i].text())
	}
	slices.Sort(lines)
	return "!" + strings.Join(lines, "\n")
}

// stateOf returns the state of a queue with the given log. The contents are the keys of their
// items.
func stateOf(log string) state {
	var all []job
	for _, t := range (plain{}).apply(log) {
		all = append(all, job{
			id: t.id, content: "k:" + t.put, put: t.put, attempts: t.attempts,
			when: span{t.when, t.when}, until: span{t.until, t.until},
		})
	}
	return stateOfJobs(all)
}

// action is what a call or a mishap does.
type action struct {
	verb  string
	words []string // after the key
	data  string
	time  span // when, by its own clock

	evicted []string // the puts whose contents are evicted before or afterwards
	changed []string // the ids of tasks that are put or dropped, likewise
	emptied bool     // the queue is evicted, likewise
}

// model is the model of queues.
var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{""} },
	Step: func(of, input, output any) (after []any) {
		a := input.(action)
		answer, known := output.(string)
		for _, s := range a.step(of.(state), answer, known) {
			if !slices.Contains(after, any(s)) {
				after = append(after, s)
			}
		}
		return after
	},
	Equal: func(a, b any) bool { return a == b },
}

// step returns the states that may follow a state if an action has an answer, none if that is
// impossible.
func (a action) step(before state, answer string, known bool) []state {
	switch a.verb {
	case "before":
		return []state{a.data}
	case "vanish":
		return a.vanish(before)
	case "taskput":
		return a.put(before, known)
	}
	if before == "" {
		// Whoever finds that a task is gone with its queue may delete its content.
		return unchanged("", !known || answer == "NOT_FOUND" || answer == "END" || answer == "DELETED" && a.emptied)
	}
	switch a.verb {
	case "tasktake":
		if !known {
			return a.takeSome(before, func(*job) bool { return true })
		}
		return a.take(before, answer)
	case "misses":
		return a.takeSome(before, a.mayMiss)
	case "tasklist":
		return unchanged(before, a.lists(before, answer))
	case "tasklen":
		return unchanged(before, a.counts(before, answer))
	}
	return a.change(before, answer, known)
}

func unchanged(before state, right bool) []state {
	if right {
		return []state{before}
	}
	return nil
}

// vanish returns what may follow an eviction: the head, a part of a segment, or a content.
func (a action) vanish(before state) []state {
	put, ok := strings.CutPrefix(a.words[0], "k:")
	if !ok || strings.Contains(put, ".") || before == "" {
		return []state{""}
	}
	after := []state{before} // it may be one whose token was not appended
	for i, j := range jobs(before) {
		if j.put == put || j.put == "" {
			all := jobs(before)
			all[i].gone = true
			if after = append(after, stateOfJobs(all)); j.put == put {
				return after[1:]
			}
		}
	}
	return after
}

func (a action) put(before state, known bool) []state {
	all := slices.DeleteFunc(jobs(before), func(j job) bool { return j.id == a.words[0] })
	j := job{id: a.words[0], content: a.data, when: a.at(a.words[1]), perhaps: !known}
	return []state{stateOfJobs(append(all, j))}
}

// at returns the time that a word stands for.
func (a action) at(word string) span {
	if n := number(word); n > 0 {
		return span{n, n}
	}
	return a.time
}

// take returns what follows if tasks were taken as the answer says: tasks by their ids, stamps
// and contents. Before, it may have taken some whose contents it did not find, or that were
// replaced or dropped before it could know.
func (a action) take(before state, answer string) (after []state) {
	for all := range a.taking(before, a.mayMiss) {
		if a.hands(all, answer) {
			after = append(after, stateOfJobs(all))
		}
	}
	return after
}

// mayMiss reports whether the action may have taken a task without answering with it.
func (a action) mayMiss(j *job) bool {
	return a.emptied || slices.Contains(a.changed, j.id) || slices.Contains(a.evicted, j.put) || j.put == "" && len(a.evicted) > 0
}

// taking yields the tasks in a state after the action has taken any of those that may be taken.
func (a action) taking(before state, may func(*job) bool) func(yield func([]job) bool) {
	return func(yield func([]job) bool) {
		for chosen := range 1 << len(jobs(before)) {
			all := jobs(before)
			possible := true
			for i := range all {
				if j := &all[i]; chosen&(1<<i) != 0 {
					possible = possible && j.at().from <= a.time.to && may(j)
					a.hold(j)
				}
			}
			if possible && !yield(all) {
				return
			}
		}
	}
}

// hands reports whether the action may have this answer, and has it take these tasks.
func (a action) hands(all []job, answer string) bool {
	if answer == "END" { // another call may have taken one just before it was replaced
		return !slices.ContainsFunc(all, func(j job) bool {
			return j.at().to <= a.time.from && !j.gone && !j.perhaps && !slices.Contains(a.changed, j.id)
		})
	}
	for _, task := range strings.Split(answer, " ") {
		w := strings.Split(task, "|")
		put, n, _ := strings.Cut(w[1], ".")
		i := slices.IndexFunc(all, func(j job) bool { return j.id == w[0] })
		if i < 0 {
			return false
		}
		j := &all[i]
		if j.put != "" && j.put != put || j.attempts+1 != number(n) || j.content != w[2] || j.gone || j.at().from > a.time.to {
			return false
		}
		j.put = put
		a.hold(j)
	}
	return true
}

// hold has the action take a task.
func (a action) hold(j *job) {
	j.attempts++
	j.until = a.time.plus(number(a.words[0]))
}

// takeSome returns what follows if any tasks were taken that may be, or none.
func (a action) takeSome(before state, may func(*job) bool) (after []state) {
	for all := range a.taking(before, may) {
		after = append(after, stateOfJobs(all))
	}
	return after
}

// change returns what follows taskdone, taskdrop, taskkeep or taskretry.
func (a action) change(before state, answer string, known bool) (after []state) {
	i, refusals := a.finds(jobs(before))
	if known && answer != "DELETED" && answer != "STORED" {
		switch {
		case a.verb == "taskkeep" || a.verb == "taskretry":
			// it may have had its effect just before another took the task
		case answer == "NOT_FOUND" && i >= 0 && a.mayMiss(&jobs(before)[i]):
			// it has ended the task, but did not find the content that it was to delete
		case slices.Contains(refusals, answer):
			return []state{before}
		default:
			return nil
		}
		after = append(after, before)
	} else if !known || a.verb == "taskretry" && a.at(a.words[1]).from <= a.time.to {
		after = append(after, before) // what is given back at once may have been taken just before
	}
	if i < 0 {
		if answer == "DELETED" && a.emptied {
			after = append(after, before)
		}
		return after
	}
	all := jobs(before)
	switch j := &all[i]; a.verb {
	case "taskkeep":
		until := a.time.plus(number(a.words[1]))
		j.until = span{max(j.until.from, until.from), max(j.until.to, until.to)}
	case "taskretry":
		j.when, j.until = a.at(a.words[1]), span{}
	default:
		all = slices.Delete(all, i, i+1)
	}
	return append(after, stateOfJobs(all))
}

// finds returns the index of the task that the action is about, -1 if there is none, and the
// answers with which it may be refused.
func (a action) finds(all []job) (i int, refusals []string) {
	var n int64
	if a.verb == "taskdrop" {
		i = slices.IndexFunc(all, func(j job) bool { return j.id == a.words[0] })
	} else {
		put, word, _ := strings.Cut(a.words[0], ".")
		n = number(word)
		i = slices.IndexFunc(all, func(j job) bool { return j.put == put })
	}
	switch {
	case i < 0:
		return -1, []string{"NOT_FOUND"}
	case n > 0 && all[i].attempts > n:
		return -1, []string{"EXISTS", "NOT_FOUND"}[:refusalsOf(&all[i])]
	case n > 0 && all[i].attempts < n:
		return -1, []string{"NOT_FOUND"}
	case all[i].gone: // somebody may have taken it just before it was missed
		return i, []string{"NOT_FOUND", "EXISTS"}
	case all[i].perhaps:
		return i, []string{"NOT_FOUND"}
	}
	return i, nil
}

// refusalsOf returns how many refusals are possible for a task that another has taken: if it may
// be gone, that is said.
func refusalsOf(j *job) int {
	if j.gone || j.perhaps {
		return 2
	}
	return 1
}

// lists reports whether an answer lists the tasks.
func (a action) lists(before state, answer string) bool {
	all := jobs(before)
	listed := map[string]bool{}
	if answer != "END" {
		for _, text := range strings.Split(answer, " ") {
			w := strings.Split(text, "|")
			listed[w[0]] = true
			i := slices.IndexFunc(all, func(j job) bool { return j.id == w[0] })
			if i < 0 {
				return false
			}
			j := &all[i]
			if number(w[2]) != j.attempts || !j.when.has(number(w[1])) || !j.until.has(number(w[3])) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(all, func(j job) bool { return !listed[j.id] && !j.gone && !j.perhaps })
}

// counts reports whether an answer is the number of tasks.
func (a action) counts(before state, answer string) bool {
	n, err := strconv.Atoi(answer)
	least := 0
	for _, j := range jobs(before) {
		if !j.gone && !j.perhaps {
			least++
		}
	}
	return err == nil && n >= least && n <= len(jobs(before))
}

// readAnswer converts the answer of a verb to that of an action, nil if it is unknown.
func readAnswer(verb, answer string) any {
	first, _, _ := strings.Cut(answer, "\r\n")
	switch {
	case answer == "" || strings.HasPrefix(first, "SERVER_ERROR"):
		return nil
	case !strings.HasPrefix(first, "VALUE"):
		return first
	}
	lines := strings.Split(answer, "\r\n")
	var all []string
	for ; len(lines) > 2; lines = lines[2:] {
		w := strings.Fields(lines[0])
		if verb == "tasktake" {
			all = append(all, w[1]+"|"+w[4]+"|"+lines[1])
		} else {
			all = append(all, w[1]+"|"+strings.ReplaceAll(lines[1], " ", "|"))
		}
	}
	return strings.Join(all, " ")
}

// operations converts calls for porcupine. If replaced is set, calls may have taken tasks just before
// these were replaced, and then others.
func operations(before state, calls []*verbtest.Call, replaced bool) []porcupine.Operation {
	var ops []porcupine.Operation
	if before != "" {
		ops = append(ops, verbtest.Operation(action{verb: "before", data: before}, "", -1, -1))
	}
	var evicted, changed []string
	emptied := false
	for _, c := range calls {
		emptied = emptied || c.Request == "vanish k" || strings.HasPrefix(c.Request, "vanish k:") && strings.Contains(c.Request, ".")
		if w := strings.Fields(c.Request); w[0] == "taskput" || w[0] == "taskdrop" {
			changed = append(changed, w[2])
		}
		if put, ok := strings.CutPrefix(c.Request, "vanish k:"); ok && len(put) == putSize {
			evicted = append(evicted, put)
		}
	}
	for _, c := range calls {
		line, data, _ := strings.Cut(c.Request, "\r\n")
		words := strings.Fields(line)
		ahead := c.Begun - c.Since
		if words[0] == "taskkeep" && words[3][0] == '-' {
			words = []string{"taskretry", "k", words[2], "0"}
		}
		a := action{verb: words[0], words: words[2:], data: data, time: span{c.Begun, c.Ended + ahead}, evicted: evicted, changed: changed, emptied: emptied}
		if c.To == verbtest.Unfinished {
			a.time.to = math.MaxInt32 * 1000
		}
		answer := readAnswer(a.verb, c.Answer)
		if a.verb == "vanish" {
			a.words = words[1:]
			if c.To < verbtest.Unfinished {
				answer = ""
			}
		} else if answer == nil && (a.verb == "tasklist" || a.verb == "tasklen") {
			continue
		}
		ops = append(ops, verbtest.Operation(a, answer, c.From, c.To))
		if a.verb == "tasktake" && (emptied || len(evicted) > 0 || replaced && changes(calls, c)) { // before it takes others, at another moment
			a.verb = "misses"
			ops = append(ops, verbtest.Operation(a, nil, c.From, c.To))
		}
	}
	return ops
}

// changes reports whether a task is put or dropped during a call.
func changes(calls []*verbtest.Call, during *verbtest.Call) bool {
	return slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
		changes := strings.HasPrefix(c.Request, "taskput") || strings.HasPrefix(c.Request, "taskdrop")
		return changes && c.From <= during.To && during.From <= c.To
	})
}

// inSomeOrder reports whether calls are linearizable, starting from a queue. Few histories need what
// takes longest to judge, so it is left for the end.
func inSomeOrder(before state, calls []*verbtest.Call) bool {
	return verbtest.Linearizable(model.ToModel(), operations(before, calls, false)) ||
		verbtest.Linearizable(model.ToModel(), operations(before, calls, true))
}
