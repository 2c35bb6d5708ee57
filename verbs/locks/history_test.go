package locks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if two things are true. There is an order in which,
// each carried out at one moment between its beginning and its end, they have the same
// answers: then no two tokens hold the lock at once, and nobody ends what is another's.
// Porcupine searches for such an order, where the end of the holder's time is one of the
// calls. And that end does not come too early.

// action is what a call or the end of a lock does.
type action struct {
	verb, token string
	ends        bool // a relock that ends the lock
}

// lockModel is a lock: its state is the token that holds it, empty if there is none. An
// unknown answer is nil.
var lockModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		next, right := after(state.(string), input.(action))
		return output == nil || output == right, next
	},
}

// after returns who holds the lock after an action, and the right answer.
func after(holder string, a action) (next, right string) {
	switch {
	case a.verb == "vanish":
		return "", ""
	case holder == "" && a.verb == "lock":
		return a.token, "STORED"
	case holder == "":
		return "", "NOT_FOUND"
	case holder != a.token && a.verb == "lock":
		return holder, "NOT_STORED"
	case holder != a.token:
		return holder, "EXISTS"
	case a.verb == "unlock":
		return "", "DELETED"
	case a.ends:
		return "", "STORED"
	}
	return holder, "STORED"
}

// read converts a request to an action and the time that it asks for, in milliseconds.
func read(request string) (a action, time int64) {
	words := strings.Fields(request)
	a.verb = words[0]
	if a.verb == "vanish" {
		return a, 0
	}
	a.token = words[2]
	time = 1000 * readSeconds([]byte(strings.Join(words[3:], " ")))
	a.ends = time < 0
	return a, time
}

// operations converts calls for porcupine. A failed call may have happened at any time
// since, or never, which is the same as at the very end.
func operations(calls []*verbtest.Call) (ops []porcupine.Operation) {
	for _, c := range calls {
		a, _ := read(c.Request)
		op := porcupine.Operation{Input: a, Call: int64(2 * c.From), Output: strings.TrimSuffix(c.Answer, "\r\n"), Return: int64(2*c.To + 1)}
		if unknown(c) {
			op.Output, op.Return = nil, math.MaxInt64
		}
		ops = append(ops, op)
	}
	return ops
}

func unknown(c *verbtest.Call) bool { return strings.HasPrefix(c.Answer, "SERVER_ERROR") }

// right reports whether the calls are correct. At first nobody holds the lock.
func right(_ string, calls []*verbtest.Call) bool {
	return porcupine.CheckOperations(lockModel, operations(calls)) && !slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
		return c.Expired && tooEarly(c, calls)
	})
}

// tooEarly reports whether the time of a lock has ended before it should: it should last for
// the shortest time that one of the last calls that may have set it has asked for. If such
// a call has failed, that may happen at any time.
func tooEarly(end *verbtest.Call, calls []*verbtest.Call) bool {
	holder, _, _ := Holder([]byte(end.Gone))
	var set []*verbtest.Call
	for _, c := range calls {
		a, time := read(c.Request)
		answered := strings.HasPrefix(c.Answer, "STORED")
		if a.token == string(holder) && time > 0 && c.From < end.From && (answered || unknown(c)) {
			set = append(set, c)
		}
	}
	for _, c := range set {
		_, time := read(c.Request)
		outdated := slices.ContainsFunc(set, func(later *verbtest.Call) bool { return later.From > c.To && !unknown(later) && later.To < end.From })
		if !outdated && end.Since >= c.Since+time {
			return false
		}
	}
	return true
}

func did(request, answer string, from, to int) *verbtest.Call {
	return &verbtest.Call{Request: request, Answer: answer + "\r\n", From: from, To: to, Since: int64(100 * from), Ended: int64(100 * to)}
}

func TestHistoryChecker(t *testing.T) {
	end := func(step int, holder string) *verbtest.Call {
		return &verbtest.Call{Request: "vanish k", From: step, To: step, Gone: "x:" + holder + " ", Expired: true, Since: int64(100 * step)}
	}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"in turn", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("unlock k a", "DELETED", 3, 4), did("lock k b 1", "STORED", 5, 6)}},
		{"two hold it", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("lock k b 1", "STORED", 3, 4)}},
		{"at the same time", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 4), did("unlock k a", "DELETED", 2, 4), did("lock k b 1", "STORED", 2, 3)}},
		{"nobody holds it", false, []*verbtest.Call{did("lock k a 1", "NOT_STORED", 1, 2)}},
		{"lost", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("unlock k a", "NOT_FOUND", 3, 4)}},
		{"expired", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), end(12, "a"), did("lock k b 1", "STORED", 13, 14)}},
		{"expired too early", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), end(10, "a"), did("lock k b 1", "STORED", 13, 14)}},
		{"held on", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("relock k a 1", "STORED", 8, 9), end(16, "a")}},
		{"held on, and released", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("relock k a 1", "STORED", 8, 9), end(18, "a")}},
		{"held on for less", true, []*verbtest.Call{did("lock k a 9", "STORED", 1, 2), did("relock k a 1", "STORED", 3, 4), end(16, "a")}},
		{"perhaps held on for less", true, []*verbtest.Call{did("lock k a 9", "STORED", 1, 2), did("relock k a 1", "SERVER_ERROR", 3, 4), end(16, "a")}},
		{"perhaps held on", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("relock k a 9", "SERVER_ERROR", 3, 4), end(16, "a")}},
		{"ended by relock", true, []*verbtest.Call{did("lock k a 9", "STORED", 1, 2), did("relock k a -1", "STORED", 3, 4), did("lock k b 1", "STORED", 5, 6)}},
		{"not ended by relock", false, []*verbtest.Call{did("lock k a 9", "STORED", 1, 2), did("relock k a -1", "STORED", 3, 4), did("lock k b 1", "NOT_STORED", 5, 6)}},
		{"another's is held on", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("relock k b 1", "STORED", 3, 4)}},
		{"another's is released", false, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("unlock k b", "DELETED", 3, 4)}},
		{"perhaps locked", true, []*verbtest.Call{did("lock k a 1", "SERVER_ERROR", 1, 2), did("lock k b 1", "STORED", 3, 4), did("unlock k b", "DELETED", 5, 6),
			did("lock k b 1", "NOT_STORED", 7, 8)}},
		{"perhaps locked twice", false, []*verbtest.Call{did("lock k a 1", "SERVER_ERROR", 1, 2), did("lock k b 1", "NOT_STORED", 3, 4),
			did("unlock k a", "DELETED", 5, 6), did("lock k b 1", "NOT_STORED", 7, 8)}},
		{"perhaps released", true, []*verbtest.Call{did("lock k a 1", "STORED", 1, 2), did("unlock k a", "SERVER_ERROR", 3, 4), did("lock k b 1", "STORED", 5, 6)}},
	} {
		if got := right("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
