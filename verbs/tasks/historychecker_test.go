package tasks

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The checker of histories finds those right that are, and those wrong that are not.
func TestHistoryChecker(t *testing.T) {
	did := func(request, answer string, from, to int) *verbtest.Call {
		return &verbtest.Call{Request: request, Answer: answer, From: from, To: to, Begun: begun, Since: begun, Ended: begun}
	}
	later := func(c *verbtest.Call, since, ended int64) *verbtest.Call {
		c.Begun, c.Since, c.Ended = begun+since, begun+since, begun+ended
		return c
	}
	a := putName(0)
	got := func(id, stamp string) string { return fmt.Sprintf("VALUE %s 7 1 %s\r\n%s\r\nEND\r\n", id, stamp, id) }
	const stored = "STORED\r\n"
	putA := did("taskput k a 0 7 1\r\na", stored, 1, 2)
	held := fmt.Sprintf("VALUE a 0 29\r\n%d 1 %d\r\nEND\r\n", begun, begun+5000)
	takenBefore := func(from, to int) []*verbtest.Call { // a is seen held before it is put again
		return []*verbtest.Call{putA, did("tasklist k", held, 4, 5), did("taskput k a 0 7 1\r\na", stored, from, to), did("tasktake k 5", got("a", putName(1)+".1"), 3, 9), did("tasklist k", held, 20, 21)}
	}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"in turn", true, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("taskdone k "+a+".1", "DELETED\r\n", 5, 6), did("tasklen k", "0\r\n", 7, 8)}},
		{"held", true, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("tasktake k 5", "END\r\n", 5, 6)}},
		{"given twice", false, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("tasktake k 5", got("a", a+".2"), 5, 6)}},
		{"the same stamp twice", false, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 6), did("tasktake k 5", got("a", a+".1"), 3, 6)}},
		{"hold is over", true, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), later(did("tasktake k 5", got("a", a+".2"), 5, 6), 5000, 5000), later(did("taskdone k "+a+".1", "EXISTS\r\n", 7, 8), 5000, 5000)}},
		{"before its time", false, []*verbtest.Call{did(fmt.Sprintf("taskput k a %d 7 1\r\na", begun+10), stored, 1, 2), did("tasktake k 5", got("a", a+".1"), 3, 4)}},
		{"done twice", false, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("taskdone k "+a+".1", "DELETED\r\n", 5, 8), did("taskdone k "+a+".1", "DELETED\r\n", 5, 8)}},
		{"perhaps taken", true, []*verbtest.Call{putA, did("tasktake k 5", "SERVER_ERROR lost\r\n", 3, 4), did("tasktake k 5", "END\r\n", 5, 6)}},
		{"kept", true, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("taskkeep k "+a+".1 50", stored, 5, 6), later(did("tasktake k 5", "END\r\n", 7, 8), 5000, 9000)}},
		{"retried", true, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("taskretry k "+a+".1 0", stored, 5, 6), did("tasktake k 5", got("a", a+".2"), 7, 8)}},
		{"replaced", false, []*verbtest.Call{putA, did("taskput k a 0 7 1\r\nb", stored, 3, 4), did("tasktake k 5", got("a", a+".1"), 5, 6)}},
		{"replaced while it is taken", true, takenBefore(6, 7)},
		{"replaced after it was taken", false, takenBefore(10, 11)},
		{"evicted", true, []*verbtest.Call{putA, did("vanish k", "", 3, 3), did("tasktake k 5", "END\r\n", 5, 6)}},
		{"content evicted", true, []*verbtest.Call{putA, did("vanish k:"+a, "", 3, 3), did("tasktake k 5", "END\r\n", 5, 6)}},
		{"dropped", true, []*verbtest.Call{putA, did("taskdrop k a", "DELETED\r\n", 3, 4), did("taskdrop k a", "NOT_FOUND\r\n", 5, 6), did("tasklist k", "END\r\n", 7, 8)}},
		{"lost", false, []*verbtest.Call{putA, did("tasktake k 5", got("a", a+".1"), 3, 4), did("tasklist k", "END\r\n", 5, 6)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}

// Without any change to it, a task that is due is found.
func TestHistoryCheckerOfTakes(t *testing.T) {
	for _, test := range []struct {
		log   string
		right bool
	}{
		{fmt.Sprintf("t=%d:%s:a ", begun, putName(0)), false},
		{fmt.Sprintf("t=%d:%s:a ", begun+1, putName(0)), true},
		{fmt.Sprintf("t(5.1.%d.%s:%s:a ", begun, nonceName(0), putName(0)), false},
		{fmt.Sprintf("t(5.1.%d.%s:%s:a ", begun+1, nonceName(0), putName(0)), true},
	} {
		call := &verbtest.Call{Request: "tasktake k 5", Answer: "END\r\n", From: 1, To: 2, Begun: begun, Since: begun, Ended: begun}
		if got := inSomeOrder(stateOf(test.log), []*verbtest.Call{call}); got != test.right {
			t.Errorf("%q: right %v", test.log, got)
		}
	}
}
