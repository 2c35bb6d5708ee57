package tables

import (
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A page that lacks a field is right if there was no such row, or if the row came before the page, or after it. How many
// came before it the request says, but not which: so an answer is right if it is for some choice of these.

// choice is, for each page, the fields whose rows came before it, a bit each.
type choice map[*verbtest.Call]uint

// someChoice reports whether right is true of some choice for the pages among calls.
func someChoice(calls []*verbtest.Call, chosen choice, right func(choice) bool) bool {
	for i, c := range calls {
		offset, _, paged := pageIn(c.Request)
		if !paged || strings.HasPrefix(c.Answer, "SERVER_ERROR") {
			continue
		}
		listed := fieldsIn(c.Answer)
		for skipped := range uint(1) << len(fields) {
			if n := ones(skipped); n > offset || n < offset && listed != 0 || skipped&listed != 0 {
				continue
			}
			chosen[c] = skipped
			if someChoice(calls[i+1:], chosen, right) {
				return true
			}
		}
		return false
	}
	return right(chosen)
}

// pageIn returns what page a request asks for, if it asks for one.
func pageIn(request string) (offset, count int, paged bool) {
	words := strings.Fields(request)
	if len(words) != 4 || words[0] != "hkeys" && words[0] != "hgetall" {
		return 0, 0, false
	}
	offset, _ = strconv.Atoi(words[2])
	count, _ = strconv.Atoi(words[3])
	return offset, count, true
}

// fieldsIn returns the fields that an answer lists, a bit each.
func fieldsIn(answer string) (listed uint) {
	for n, field := range fields {
		if lists(answer, field) {
			listed |= 1 << n
		}
	}
	return listed
}

// lists reports whether an answer of hkeys or hgetall has a field.
func lists(answer, field string) bool {
	for _, line := range verbtest.Lines(answer) {
		value, isRow := strings.CutPrefix(line, "VALUE ")
		if isRow && strings.HasPrefix(value, field+" ") || !isRow && strings.Contains(" "+line+" ", " "+field+" ") {
			return true
		}
	}
	return false
}

// ones returns how many bits are set.
func ones(bits uint) (n int) {
	for ; bits != 0; bits &= bits - 1 {
		n++
	}
	return n
}

// lookAtPage adds a page, before which the rows of skipped were.
func (h *history) lookAtPage(c *verbtest.Call, a action, count int, skipped uint) {
	listed := fieldsIn(c.Answer)
	switch {
	case lists(c.Answer, h.field) && a.verb == "hgetall":
		h.is(c, a, valueIn(c.Answer, h.field))
	case lists(c.Answer, h.field), skipped&(1<<fieldNumber(h.field)) != 0:
		a.verb = "hkeys"
		h.is(c, a, "")
	case ones(listed) == count: // the row may come after the page
	case a.verb == "hkeys" && listed == 0 && len(verbtest.Lines(c.Answer)) == 1:
		h.is(c, a, noTable)
	default:
		a.pending = h.pendingAt(c)
		h.is(c, a, missing)
	}
}

// fieldNumber returns which of the fields of races one is.
func fieldNumber(field string) (n int) {
	for fields[n] != field {
		n++
	}
	return n
}
