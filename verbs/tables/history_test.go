package tables

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of a schedule are correct if each row is linearizable: if for each field there is
// an order of all that concerns it in which the answers are right. The table as a whole
// exists or not, and when it goes all its rows go. Porcupine searches for the order.
//
// A listing that lacks a field is right if there is no row, or if none of those who have
// stored the row, as long as it has existed, had been told so before the listing began.

// row is the state of one row, and of its table.
type row struct {
	table, there bool
	number       uint64
	stored       uint32 // the calls that have stored it since it was last not there, a bit each
}

// action is what a call or a mishap does to one row.
type action struct {
	verb    string
	number  uint64
	makes   bool // a missing row, with the number initial
	initial uint64
	stores  uint32 // the bit of this call
	pending uint32 // of a listing: those that may not be listed yet
}

// The answers of actions besides numbers and memcached's words. An unknown answer is nil.
const (
	missing = "-" // no row
	noTable = "!"
)

var rowModel = porcupine.Model{
	Init: func() any { return row{} },
	Step: func(state, input, output any) (bool, any) {
		answer, known := output.(string)
		next, right := input.(action).after(state.(row), answer)
		return !known || right, next
	},
}

// after returns the row after an action, and whether the answer is right.
func (a action) after(r row, answer string) (next row, right bool) {
	switch a.verb {
	case "hset":
		return r.store(a), answer == "STORED"
	case "hadd":
		if r.there {
			return r, answer == "NOT_STORED"
		}
		return r.store(a), answer == "STORED"
	case "hget":
		return r, answer == r.value()
	case "hexists":
		switch {
		case !r.table:
			return r, answer == noTable
		case r.there:
			return r, answer == "1"
		}
		return r, answer == "0"
	case "hdel":
		if !r.there {
			return r, answer == noTable
		}
		return row{table: true}, answer == "DELETED"
	case "hincr":
		if !r.there && a.makes {
			return row{table: true, there: true, number: a.initial, stored: r.stored | a.stores}, answer == fmt.Sprint(a.initial)
		}
		if !r.there {
			return r, answer == noTable
		}
		r.number += a.number
		return r, answer == r.value()
	case "hkeys":
		if answer == noTable {
			return r, !r.table
		}
		if answer == missing {
			return r, r.mayBeUnlisted(a)
		}
		return r, r.there
	case "hgetall":
		if answer == missing {
			return r, r.mayBeUnlisted(a)
		}
		return r, answer == r.value()
	case "exists":
		return r, r.table
	case "make":
		r.table = true
		return r, true
	case "gone":
		return row{}, true
	case "remove":
		return row{}, r.table == (answer == "DELETED")
	case "vanish":
		return row{table: r.table}, true
	}
	panic("the model lacks " + a.verb + ": add here what it does and answers")
}

func (r row) store(a action) row {
	return row{table: true, there: true, number: a.number, stored: r.stored | a.stores}
}

func (r row) mayBeUnlisted(a action) bool { return !r.there || r.stored&^a.pending == 0 }

func (r row) value() string {
	if !r.there {
		return missing
	}
	return fmt.Sprint(r.number)
}

// history is what concerns one field.
type history struct {
	field    string
	calls    []*verbtest.Call
	before   choice // the rows before each page
	sure     []porcupine.Operation
	possible []porcupine.Operation // may have happened at any time since, or never
	again    []porcupine.Operation // rows that were lost with the index after they were stored, and stored in a new table
	lost     []int                 // the steps from which on a table may lack its index
}

// historyOf returns the history of a field, given which rows come before each page.
func historyOf(field string, calls []*verbtest.Call, before choice) *history {
	h := &history{field: field, calls: calls, before: before}
	for _, c := range calls {
		evicted := strings.HasPrefix(c.Request, "vanish k:") && !strings.Contains(c.Request, "=")
		if evicted || strings.HasPrefix(c.Request, "h") && strings.HasPrefix(c.Answer, "SERVER_ERROR") {
			h.lost = append(h.lost, c.From)
		}
	}
	for n, c := range calls {
		h.add(n, c)
	}
	return h
}

// is adds an action of a call with the answer.
func (h *history) is(c *verbtest.Call, a action, answer string) {
	h.sure = append(h.sure, verbtest.Operation(a, answer, c.From, c.To))
}

// may adds actions of a call that may have happened.
func (h *history) may(c *verbtest.Call, actions ...action) {
	for _, a := range actions {
		h.possible = append(h.possible, verbtest.Operation(a, nil, c.From, c.To))
	}
}

// add adds what a call, the n-th, says of the row.
func (h *history) add(n int, c *verbtest.Call) {
	words := strings.Fields(c.Request)
	if words[0] == "vanish" {
		h.vanish(c, words[1])
		return
	}
	a := action{verb: words[0]}
	first, _, _ := strings.Cut(c.Answer, "\r\n")
	failed := strings.HasPrefix(first, "SERVER_ERROR")
	mine := len(words) > 2 && words[2] == h.field
	switch a.verb {
	case "hset", "hadd":
		fmt.Sscan(words[len(words)-1], &a.number)
		a.stores = 1 << n
		h.stores(c, a, first, failed, mine)
	case "hincr", "hdecr":
		fmt.Sscan(words[3], &a.number)
		if a.verb == "hdecr" {
			a.number = -a.number
		}
		a.verb = "hincr"
		if a.makes = len(words) > 4; a.makes {
			fmt.Sscan(words[4], &a.initial)
			a.stores = 1 << n
			h.stores(c, a, first, failed, mine)
			return
		}
		fallthrough
	case "hdel":
		if mine {
			h.either(c, a, first, failed)
		}
	case "remove":
		h.either(c, a, first, failed)
	default:
		if !failed {
			h.look(c, a, first, mine)
		}
	}
}

// stores adds a change that makes the table if there is none, and the row, which is the history's if mine is set.
func (h *history) stores(c *verbtest.Call, a action, answer string, failed, mine bool) {
	for _, lost := range h.lost {
		if mine && c.To >= lost {
			h.again = append(h.again, verbtest.Operation(a, nil, c.From, c.To))
		}
	}
	switch {
	case failed: // it may have made a table without an index, which is soon found out
		h.may(c, action{verb: "make"}, action{verb: "gone"})
		if mine {
			h.may(c, a)
		}
	case mine:
		h.is(c, a, answer)
	default:
		h.is(c, action{verb: "make"}, "")
	}
}

// either adds a change, whose answer is known unless it failed.
func (h *history) either(c *verbtest.Call, a action, answer string, failed bool) {
	switch {
	case failed:
		h.may(c, a)
	case answer == "NOT_FOUND" && a.verb != "remove":
		h.is(c, a, noTable)
	default:
		h.is(c, a, answer)
	}
}

// look adds a read.
func (h *history) look(c *verbtest.Call, a action, first string, mine bool) {
	if _, count, paged := pageIn(c.Request); paged {
		h.lookAtPage(c, a, count, h.before[c])
		return
	}
	switch a.verb {
	case "hget":
		if mine {
			h.is(c, a, valueIn(c.Answer, h.field))
		}
	case "hexists":
		switch {
		case first == "NOT_FOUND":
			h.is(c, a, noTable)
		case mine:
			h.is(c, a, first)
		default:
			h.is(c, action{verb: "exists"}, "")
		}
	case "hgetall":
		a.pending = h.pendingAt(c)
		h.is(c, a, valueIn(c.Answer, h.field))
	case "hkeys":
		a.pending = h.pendingAt(c)
		lines := verbtest.Lines(c.Answer)
		switch {
		case len(lines) == 1:
			h.is(c, a, noTable)
		case slices.Contains(strings.Fields(lines[1]), h.field):
			h.is(c, a, "")
		default:
			h.is(c, a, missing)
		}
	}
}

// valueIn returns the data of a field in an answer of values.
func valueIn(answer, field string) string {
	text := []byte(answer)
	for {
		var unit protocol.Reply
		n, _, err := protocol.ParseReply(text, &unit)
		if err != nil || n == 0 || unit.Kind != protocol.ReplyValue {
			return missing
		}
		if string(unit.Key) == field {
			return strings.TrimRight(string(unit.Data), " ")
		}
		text = text[n:]
	}
}

// pendingAt returns those who have stored the row and had not been told so when c began.
func (h *history) pendingAt(c *verbtest.Call) (pending uint32) {
	for n, other := range h.calls {
		if other.To >= c.From || !strings.HasPrefix(other.Answer, "STORED") {
			pending |= 1 << n
		}
	}
	return pending
}

// vanish adds the eviction of an item: the anchor, or a part of the table that there was.
func (h *history) vanish(c *verbtest.Call, key string) {
	if key == "k" {
		h.is(c, action{verb: "gone"}, "")
		return
	}
	generation, there := parseAnchor([]byte(c.Head))
	part := key[len("k:")+generationSize:]
	switch field, isRow := strings.CutPrefix(part, "="); {
	case isRow && field != h.field:
	case isRow && !(there && strings.HasPrefix(key, "k:"+string(generation))): // it is dead, or being created
		h.may(c, action{verb: "vanish"})
	case isRow:
		at := *c
		at.To = at.From
		h.is(&at, action{verb: "vanish"}, "")
	default:
		h.may(c, action{verb: "gone"})
	}
}

// right reports whether the row is linearizable. As a rule no row was stored again, so that
// is tried first.
func (h *history) right() bool {
	all := slices.Concat(h.sure, h.possible)
	return verbtest.Linearizable(rowModel, all) ||
		len(h.again) > 0 && verbtest.Linearizable(rowModel, append(all, h.again...))
}

// fields are the fields of races.
var fields = []string{"a", "b", "c"}

// inSomeOrder implements [verbtest.Rules.Right].
func inSomeOrder(_ string, calls []*verbtest.Call) bool {
	return someChoice(calls, choice{}, func(before choice) bool {
		for _, field := range fields {
			if !historyOf(field, calls, before).right() {
				return false
			}
		}
		return true
	})
}

func did(request, answer string, from, to int) *verbtest.Call {
	return &verbtest.Call{Request: request, Answer: strings.ReplaceAll(answer, "|", "\r\n") + "\r\n", From: from, To: to}
}

func TestHistoryChecker(t *testing.T) {
	one, two := set("k", "a", "1"), set("k", "a", "2")
	lost := "SERVER_ERROR lost"
	const g = "0123456789abcdeA"
	vanish := func(key, head string) *verbtest.Call {
		return &verbtest.Call{Request: "vanish " + key, From: 3, To: 3, Head: head}
	}
	for _, test := range []struct {
		name  string
		right bool
		calls []*verbtest.Call
	}{
		{"nothing", true, nil},
		{"set and get", true, []*verbtest.Call{did(one, "STORED", 1, 2), did("hget k a", "VALUE a 0 1|1|END", 3, 4)}},
		{"lost", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hget k a", "END", 3, 4)}},
		{"old value", false, []*verbtest.Call{did(one, "STORED", 1, 2), did(two, "STORED", 3, 4), did("hget k a", "VALUE a 0 1|1|END", 5, 6)}},
		{"unlisted", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hgetall k", "END", 3, 4)}},
		{"not listed yet", true, []*verbtest.Call{did(one, "STORED", 1, 6), did("hget k a", "VALUE a 0 1|1|END", 2, 3), did("hgetall k", "END", 4, 5)}},
		{"listed and not", false, []*verbtest.Call{did(one, "STORED", 1, 2), did(two, "STORED", 3, 6), did("hkeys k", "VALUE k 0 0||END", 4, 5)}},
		{"added twice", false, []*verbtest.Call{did("hadd k a 0 0 1\r\n1", "STORED", 1, 4), did("hadd k a 0 0 1\r\n1", "STORED", 2, 3)}},
		{"added, and not", true, []*verbtest.Call{did("hadd k a 0 0 1\r\n1", "NOT_STORED", 1, 4), did("hadd k a 0 0 1\r\n1", "STORED", 2, 3)}},
		{"comes back", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hdel k a", "DELETED", 3, 4), did("hget k a", "END", 5, 6), did("hget k a", "VALUE a 0 1|1|END", 7, 8)}},
		{"removed", true, []*verbtest.Call{did(one, "STORED", 1, 2), did("remove k", "DELETED", 3, 4), did("hexists k a", "NOT_FOUND", 5, 6)}},
		{"of a dead table", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("remove k", "DELETED", 3, 4), did(set("k", "b", "2"), "STORED", 5, 6),
			did("hget k a", "VALUE a 0 1|1|END", 7, 8)}},
		{"counted", true, []*verbtest.Call{did(one, "STORED", 1, 2), did("hincr k a 2", "3", 3, 5), did("hdecr k a 1", "2", 4, 6)}},
		{"counted once", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hincr k a 2", "3", 3, 5), did("hincr k a 2", "3", 4, 6)}},
		{"counted from", true, []*verbtest.Call{did("hincr k a 2 7", "7", 1, 4), did("hdecr k a 1 9", "6", 2, 3), did("hget k a", "VALUE a 0 1|6|END", 5, 6)}},
		{"counted from twice", false, []*verbtest.Call{did("hincr k a 2 7", "7", 1, 4), did("hincr k a 2 8", "8", 2, 3)}},
		{"counted from in a new table", true, []*verbtest.Call{did("remove k", "NOT_FOUND", 1, 2), did("hincr k b 2 7", "7", 3, 4), did("hexists k a", "0", 5, 6)}},
		{"failed", true, []*verbtest.Call{did(one, lost, 1, 2), did("hget k a", "END", 3, 4), did("hget k a", "VALUE a 0 1|1|END", 5, 6)}},
		{"anchor evicted", true, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k", "h:"+g+" "), did("hget k a", "END", 4, 4)}},
		{"row evicted", true, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k:"+g+"=a", "h:"+g+" "), did("hexists k a", "0", 4, 4)}},
		{"row evicted and there", false, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k:"+g+"=a", "h:"+g+" "), did("hexists k a", "1", 4, 4)}},
		{"row of another table evicted", true, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k:"+g+"=a", "h:X123456789abcdeA "), did("hexists k a", "0", 4, 4)}},
		{"index evicted", true, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k:"+g, "h:"+g+" "), did("hget k a", "VALUE a 0 1|1|END", 4, 4), did("hgetall k", "END", 5, 5)}},
		{"page", true, []*verbtest.Call{did(one, "STORED", 1, 2), did(set("k", "b", "2"), "STORED", 3, 4), did("hgetall k 1 1", "VALUE b 0 1|2|END", 5, 6), did("hkeys k 0 1", "VALUE k 0 1|a|END", 7, 8)}},
		{"page after a row that is not there", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hkeys k 1 1", "VALUE k 0 1|a|END", 3, 4)}},
		{"page after a row that is gone", true, []*verbtest.Call{did(one, "STORED", 1, 2), did(set("k", "b", "2"), "STORED", 3, 4), did("hdel k a", "DELETED", 5, 8), did("hkeys k 1 1", "VALUE k 0 1|b|END", 6, 7)}},
		{"page too short", false, []*verbtest.Call{did(one, "STORED", 1, 2), did(set("k", "b", "2"), "STORED", 3, 4), did("hgetall k 0 3", "VALUE b 0 1|2|END", 5, 6)}},
		{"page that is empty", true, []*verbtest.Call{did(one, "STORED", 1, 2), did("hkeys k 1 2", "VALUE k 0 0||END", 3, 4), did("hgetall k 2 1", "END", 5, 6)}},
		{"page that is empty though there is a row", false, []*verbtest.Call{did(one, "STORED", 1, 2), did(set("k", "b", "2"), "STORED", 3, 4), did("hgetall k 1 1", "END", 5, 6)}},
		{"page of an old row", false, []*verbtest.Call{did(one, "STORED", 1, 2), did(two, "STORED", 3, 4), did("hgetall k 0 1", "VALUE a 0 1|1|END", 5, 6)}},
		{"page of no table", false, []*verbtest.Call{did(one, "STORED", 1, 2), did("hkeys k 2 1", "END", 5, 6)}},
		{"half a table", false, []*verbtest.Call{did(one, "STORED", 1, 2), vanish("k:"+g, "h:"+g+" "), did(set("k", "b", "2"), "STORED", 4, 4),
			did("hkeys k", "VALUE k 0 1|b|END", 5, 5), did("hget k a", "VALUE a 0 1|1|END", 6, 6)}},
	} {
		if got := inSomeOrder("", test.calls); got != test.right {
			t.Errorf("%s: right %v", test.name, got)
		}
	}
}
