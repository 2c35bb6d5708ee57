package structures

import (
	"slices"
	"strconv"
	"strings"
)

// row is a row of a table, and whether there is the table.
type row struct {
	table, there bool
	number       int
	told         int64 // when somebody was first told that it had been stored, as long as it is there
}

// evictRow returns what an eviction may leave of a row: nothing, or the table without it.
func evictRow(state any) []any {
	r := state.(row)
	left := []any{row{}}
	if r.there {
		left = append(left, row{table: true})
	}
	return left
}

// mayBeUnlisted reports whether a listing may lack the row: if it is not there, or nobody was
// told that it is before the listing began.
func (r row) mayBeUnlisted(a action) bool { return !r.there || r.told >= a.call }

// store returns the row after it was stored.
func (r row) store(a action) row { return r.hold(a, a.words[1]) }

// hold returns the row after an action has stored n in it.
func (r row) hold(a action, n string) row {
	told := a.back
	if r.there {
		told = min(told, r.told)
	}
	return row{table: true, there: true, number: number(n), told: told}
}

// only returns the state alone if right is set, and else none.
func only(right bool, r row) []row {
	if right {
		return []row{r}
	}
	return nil
}

// isOfView reports whether an action is about the row that is looked at.
func (a action) isOfView() bool { return slices.Contains(a.words, a.view) }

// mayMake reports whether a count makes the row if that is not there.
func (a action) mayMake() bool { return len(a.words) > 2 }

func stepRowSet(r row, a action, answer string) []row {
	after := row{table: true, there: r.there, number: r.number, told: r.told}
	if a.isOfView() {
		after = r.store(a)
	}
	return withoutAgain(r, a, answers(answer, "STORED", after))
}

func stepRowAdd(r row, a action, answer string) []row {
	switch {
	case a.isOfView() && r.there:
		return withoutAgain(r, a, answers(answer, "NOT_STORED", r))
	case a.isOfView():
		return withoutAgain(r, a, answers(answer, "STORED", r.store(a)))
	case answer == "NOT_STORED":
		return only(r.table, r)
	}
	r.table = true
	return answers(answer, "STORED", r)
}

// withoutAgain adds to what comes of an action what was before it, if it need not have happened.
func withoutAgain(r row, a action, after []row) []row {
	if a.again {
		after = append(after, r)
	}
	return after
}

func stepRowDelete(r row, a action, answer string) []row {
	switch {
	case !a.isOfView(): // and the answer known
		return only(answer != "DELETED" || r.table, r)
	case answer == "DELETED" && len(a.words) > 1: // of any of these
		return only(r.table, row{table: true})
	case !r.there:
		return answers(answer, "NOT_FOUND", r)
	}
	return answers(answer, "DELETED", row{table: true})
}

func stepRowCount(r row, a action, answer string) []row {
	switch {
	case !a.isOfView(): // but it makes another row, and so the table, if they are not there
		r.table = true
		return []row{r}
	case !r.there && a.mayMake():
		return withoutAgain(r, a, answers(answer, a.words[2], r.hold(a, a.words[2])))
	case a.again: // it has made the row, so it adds nothing
		return []row{r}
	case !r.there:
		return answers(answer, "NOT_FOUND", r)
	}
	if a.verb.name == "hincr" {
		r.number += number(a.words[1])
	} else {
		r.number = max(r.number-number(a.words[1]), 0)
	}
	return answers(answer, strconv.Itoa(r.number), r)
}

func stepRowGet(r row, a action, answer string) []row {
	found, there := cells(answer)[a.view]
	return only(strings.HasPrefix(answer, "{") && there == r.there && (!there || found == strconv.Itoa(r.number)), r)
}

func stepRowExists(r row, a action, answer string) []row {
	if answer == "NOT_FOUND" {
		return only(!r.table, r)
	}
	bits := strings.Fields(answer)
	right := r.table && len(bits) == len(a.words)
	for i, field := range a.words {
		right = right && (field != a.view || (bits[i] == "1") == r.there)
	}
	return only(right, r)
}

func stepRowKeys(r row, a action, answer string) []row {
	if answer == noTable {
		return only(!r.table, r)
	}
	if n := strings.Count(answer, a.view); n > 0 {
		return only(n == 1 && r.there, r)
	}
	return only(r.table && strings.HasPrefix(answer, "{") && (a.mayPassOver(answer) || r.mayBeUnlisted(a)), r)
}

func stepRowAll(r row, a action, answer string) []row {
	if found, listed := cells(answer)[a.view]; listed {
		return only(r.there && found == strconv.Itoa(r.number), r)
	}
	return only(strings.HasPrefix(answer, "{") && (a.mayPassOver(answer) || r.mayBeUnlisted(a)), r)
}

func stepRowLength(r row, a action, answer string) []row {
	switch answer {
	case "NOT_FOUND":
		return only(!r.table, r)
	case "0":
		return only(r.table && r.mayBeUnlisted(a), r)
	case strconv.Itoa(len(names)):
		return only(r.there, r)
	}
	n, err := strconv.Atoi(answer)
	return only(r.table && err == nil && n < len(names), r)
}

func stepTableDelete(r row, _ action, answer string) []row {
	if r.table {
		return answers(answer, "DELETED", row{})
	}
	return answers(answer, "NOT_FOUND", row{})
}

// cells returns the numbers of the fields in an answer in braces.
func cells(answer string) map[string]string {
	found := map[string]string{}
	for _, cell := range strings.Fields(strings.Trim(answer, "{}")) {
		field, n, _ := strings.Cut(cell, "=")
		found[field] = n
	}
	return found
}
