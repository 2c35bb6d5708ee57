package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// The model of queues is not determined: which of the due tasks a call takes is its own choice, unless
// it takes the oldest, and when exactly it has looked at its clock is known only within limits. A call
// whose outcome is unknown may have done several things.

// state is a queue, as text so that equal ones are equal: an exclamation mark, and a line for
// each task, in the order of their puts. The empty string is no queue.
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

// stateOfJobs returns the state of a queue with these tasks, in the order of their puts.
func stateOfJobs(all []job) state {
	var lines []string
	for i := range all {
		lines = append(lines, all[i].text())
	}
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
	apart   bool     // clocks differ so much that what is just being taken may be taken again
	inOrder bool     // it takes the oldest tasks
	moved   []string // the ids and puts of tasks that others change during the action; set if it takes the oldest
}

// model is the model of queues.
var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{""} },
	Step: func(of, input, output any) (after []any) {
		a := input.(action)
		answer, known := output.(string)
		for _, s := range a.step(of.(state), answer, known) {
			after = append(after, s)
		}
		return after
	},
	Equal: func(a, b any) bool { return a == b },
}

// after returns the state of a queue with these tasks. Unless the order of puts matters, it forgets that.
func (a action) after(all []job) state {
	if !a.inOrder {
		slices.SortFunc(all, func(a, b job) int { return strings.Compare(a.id, b.id) })
	}
	return stateOfJobs(all)
}

// step returns the states that may follow a state if an action has an answer, none if that is
// impossible.
func (a action) step(before state, answer string, known bool) []state {
	switch a.verb {
	case "before":
		return []state{a.after(jobs(a.data))}
	case "vanish":
		return a.vanish(before)
	case "taskput":
		return a.put(before, known)
	case "taskadd":
		return a.add(before, answer, known)
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
	case "taskmove":
		return a.move(before, answer, known)
	case "taskpeek":
		return a.peek(before, answer)
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
			if after = append(after, a.after(all)); j.put == put {
				return after[1:]
			}
		}
	}
	return after
}

func (a action) put(before state, known bool) []state {
	all := slices.DeleteFunc(jobs(before), func(j job) bool { return j.id == a.words[0] })
	j := job{id: a.words[0], content: a.data, when: a.at(a.words[1]), perhaps: !known}
	return []state{a.after(append(all, j))}
}

// add is put if there is no task with the id, or perhaps none.
func (a action) add(before state, answer string, known bool) []state {
	i := withID(jobs(before), a.words[0])
	sure := i >= 0 && !jobs(before)[i].unsure()
	switch {
	case !known && sure, answer == "NOT_STORED" && i >= 0: // without an effect, it is as if it came at the very end
		return []state{before}
	case !known && !sure, answer == "STORED" && !sure:
		return a.put(before, known)
	}
	return nil
}

// withID returns the index of the task with an id, -1 if there is none.
func withID(all []job, id string) int {
	return slices.IndexFunc(all, func(j job) bool { return j.id == id })
}

// unsure reports whether the task may not be there any more, or never was.
func (j *job) unsure() bool { return j.gone || j.perhaps }

// move returns what follows taskmove.
func (a action) move(before state, answer string, known bool) []state {
	all := jobs(before)
	i := withID(all, a.words[0])
	switch {
	case i >= 0 && (!known || answer == "STORED") && all[i].until.from <= a.time.to:
		j := all[i]
		j.when, j.until = a.at(a.words[1]), span{}
		return []state{a.after(append(slices.Delete(all, i, i+1), j))}
	case !known: // without an effect, it is as if it came at the very end
		return []state{before}
	}
	return unchanged(before, answer == "NOT_FOUND" && (i < 0 || all[i].unsure()) || answer == "EXISTS" && i >= 0 && all[i].until.to > a.time.from)
}

// peek returns what follows taskpeek: the same, but that the name of a put may be known now.
func (a action) peek(before state, answer string) []state {
	all := jobs(before)
	i := withID(all, a.words[0])
	if answer == "END" {
		return unchanged(before, i < 0 || all[i].unsure())
	}
	w := strings.Split(answer, "|")
	put, n, _ := strings.Cut(w[1], ".")
	if i < 0 || w[0] != all[i].id || all[i].put != "" && all[i].put != put || all[i].attempts != number(n) || all[i].content != w[2] {
		return nil
	}
	all[i].put = put
	return []state{a.after(all)}
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
			after = append(after, a.after(all))
		}
	}
	return after
}

// mayMiss reports whether the action may have taken a task without answering with it.
func (a action) mayMiss(j *job) bool {
	return a.emptied || a.apart || slices.Contains(a.changed, j.id) || slices.Contains(a.evicted, j.put) || j.put == "" && len(a.evicted) > 0
}

// taking yields the tasks in a state after the action has taken any of those that may be taken.
func (a action) taking(before state, may func(*job) bool) func(yield func([]job) bool) {
	var some []int
	for i, j := range jobs(before) {
		if j.at().from <= a.time.to && j.attempts < a.most() && may(&j) {
			some = append(some, i)
		}
	}
	return func(yield func([]job) bool) {
		for chosen := range 1 << len(some) {
			all := jobs(before)
			for n, i := range some {
				if chosen&(1<<n) != 0 {
					a.hold(&all[i])
				}
			}
			if !yield(all) {
				return
			}
		}
	}
}

// most returns how often a task was taken that tasktake leaves alone, at least.
func (a action) most() int64 {
	if i := slices.Index(a.words, mostWord); i >= 0 {
		return number(a.words[i+1])
	}
	return mostAttempts
}

// hands reports whether the action may have this answer, and has it take these tasks.
func (a action) hands(all []job, answer string) bool {
	if answer == "END" { // another call may have taken one just before it was replaced
		return !slices.ContainsFunc(all, func(j job) bool {
			return j.at().to <= a.time.from && j.attempts < a.most() && !j.gone && !j.perhaps && !slices.Contains(a.changed, j.id)
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
		if j.put != "" && j.put != put || j.attempts+1 != number(n) || j.content != w[2] || j.gone || j.attempts >= a.most() || j.at().from > a.time.to || a.overtakes(all, i) {
			return false
		}
		j.put = put
		a.hold(j)
	}
	return true
}

// overtakes reports whether the action must not take task i, as it takes the oldest and another one
// comes before it for certain.
func (a action) overtakes(all []job, i int) bool {
	if !a.inOrder || a.moves(&all[i]) {
		return false
	}
	at := all[i].at()
	for n := range all {
		j := &all[n]
		if j.gone || j.perhaps || j.attempts >= a.most() || a.moves(j) || j.at().to > a.time.from {
			continue
		}
		if of := j.at(); of.to < at.from || of == at && at.from == at.to && n < i {
			return true
		}
	}
	return false
}

// moves reports whether others change the task during the action.
func (a action) moves(j *job) bool {
	return slices.Contains(a.moved, j.id) || slices.Contains(a.moved, j.put)
}

// hold has the action take a task.
func (a action) hold(j *job) {
	j.attempts++
	j.until = a.time.plus(number(a.words[0]))
}

// takeSome returns what follows if any tasks were taken that may be, or none.
func (a action) takeSome(before state, may func(*job) bool) (after []state) {
	for all := range a.taking(before, may) {
		after = append(after, a.after(all))
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
	return append(after, a.after(all))
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
