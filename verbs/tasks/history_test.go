package tasks

import (
	"math"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if they are linearizable: if there is an order in which,
// each carried out at one moment between its beginning and its end, they have the same answers.
// Porcupine searches for such an order, given a model of queues.

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
		if verb == "tasktake" || verb == "taskpeek" {
			all = append(all, w[1]+"|"+w[4]+"|"+lines[1])
		} else {
			all = append(all, w[1]+"|"+strings.ReplaceAll(lines[1], " ", "|"))
		}
	}
	return strings.Join(all, " ")
}

// history is how calls are judged.
type history struct {
	calls    []*verbtest.Call
	replaced bool // they may have taken tasks just before these were replaced, and then others
	inOrder  bool // they take the oldest tasks
}

// operations converts the calls, which start from a queue, for porcupine.
func (h history) operations(before state) []porcupine.Operation {
	var ops []porcupine.Operation
	if before != "" {
		ops = append(ops, verbtest.Operation(action{verb: "before", data: before, inOrder: h.inOrder}, "", -1, -1))
	}
	var evicted, changed []string
	emptied := false
	apart := slices.ContainsFunc(h.calls, func(c *verbtest.Call) bool { return c.All.Most-c.All.Least >= 1000*hold/2 })
	for _, c := range h.calls {
		emptied = emptied || c.Request == "vanish k" || strings.HasPrefix(c.Request, "vanish k:") && strings.Contains(c.Request, ".")
		if w := strings.Fields(c.Request); w[0] == "taskput" || w[0] == "taskdrop" {
			changed = append(changed, w[2])
		}
		if put, ok := strings.CutPrefix(c.Request, "vanish k:"); ok && len(put) == putSize {
			evicted = append(evicted, put)
		}
	}
	for _, c := range h.calls {
		line, data, _ := strings.Cut(c.Request, "\r\n")
		words := strings.Fields(line)
		if words[0] == "taskkeep" && words[3][0] == '-' {
			words = []string{"taskretry", "k", words[2], "0"}
		}
		a := action{verb: words[0], words: words[2:], data: data, time: span{c.Since + c.Own.Least, c.Ended + c.Own.Most}, evicted: evicted, changed: changed, emptied: emptied}
		if a.inOrder = h.inOrder; h.inOrder {
			a.moved = h.moved(c)
		}
		if c.To == verbtest.Unfinished {
			a.time.to = math.MaxInt32 * 1000
		}
		answer := readAnswer(a.verb, c.Answer)
		if a.verb == "vanish" {
			a.words = words[1:]
			if c.To < verbtest.Unfinished {
				answer = ""
			}
		} else if answer == nil && (a.verb == "tasklist" || a.verb == "tasklen" || a.verb == "taskpeek") {
			continue
		}
		ops = append(ops, verbtest.Operation(a, answer, c.From, c.To))
		a.apart = apart && h.meets(c, "tasktake")
		if a.verb == "tasktake" && (a.apart || emptied || len(evicted) > 0 || h.replaced && h.meets(c, "taskput", "taskdrop")) { // before it takes others, at another moment
			a.verb = "misses"
			ops = append(ops, verbtest.Operation(a, nil, c.From, c.To))
		}
	}
	return ops
}

// meets reports whether another call of one of some verbs overlaps with one.
func (h history) meets(with *verbtest.Call, some ...string) bool {
	return slices.ContainsFunc(h.calls, func(c *verbtest.Call) bool {
		verb, _, _ := strings.Cut(c.Request, " ")
		return c != with && slices.Contains(some, verb) && c.From <= with.To && with.From <= c.To
	})
}

// moved returns the ids or puts of the tasks that other calls put or change during a call.
func (h history) moved(during *verbtest.Call) (moved []string) {
	for _, c := range h.calls {
		w := strings.Fields(c.Request)
		if w[0] == "tasktake" || len(w) < 3 || c.From > during.To || during.From > c.To {
			continue
		}
		idOrPut, _, _ := strings.Cut(w[2], ".")
		moved = append(moved, idOrPut)
	}
	return moved
}

// inSomeOrder reports whether calls are linearizable, starting from a queue. Few histories need what
// takes longest to judge, so it is left for the end.
func inSomeOrder(before state, calls []*verbtest.Call) bool {
	return linearizable(before, history{calls: calls}) || linearizable(before, history{calls: calls, replaced: true})
}

// oldestFirst is inSomeOrder for calls of which those that take tasks go through one event loop: each
// takes the oldest. If anything has gone wrong, a loop may lose a task to what it has asked for itself, so
// that is not judged here.
func oldestFirst(before state, calls []*verbtest.Call) bool {
	if slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
		return strings.HasPrefix(c.Request, "vanish") || c.Answer == "" || strings.HasPrefix(c.Answer, "SERVER_ERROR")
	}) {
		return true
	}
	return linearizable(before, history{calls: calls, inOrder: true}) || linearizable(before, history{calls: calls, inOrder: true, replaced: true})
}

func linearizable(before state, h history) bool {
	return verbtest.LinearizableBy(&model, h.operations(before))
}
