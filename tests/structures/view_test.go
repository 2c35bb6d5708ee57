package structures

import (
	"strings"

	"github.com/anishathalye/porcupine"
)

// viewRows returns the history of each row.
func viewRows(all []porcupine.Operation, forgetful bool) (views [][]porcupine.Operation) {
	for _, field := range names {
		var view []porcupine.Operation
		for _, o := range all {
			a := o.Input.(action)
			if a.view = field; !a.concernsView(o.Output.(string)) {
				continue
			}
			o.Input = a
			view = append(view, looks(o)...)
			if forgetful && a.storesView() {
				// If the index turns out to have been evicted when the row was stored already, the
				// row is stored once more, in a new table.
				a.again = true
				o.Input, o.Output = a, unanswered
				view = append(view, o)
			}
		}
		views = append(views, view)
	}
	return views
}

// looks returns an operation for each time that a request names the row which is looked at: such a request
// looks at it as often, and is no snapshot.
func looks(o porcupine.Operation) (list []porcupine.Operation) {
	a, answer := o.Input.(action), o.Output.(string)
	var told []string // what each look has told
	switch {
	case a.verb.name == "hexists" && answer != "NOT_FOUND":
		for i, bit := range strings.Fields(answer) {
			if i < len(a.words) && a.words[i] == a.view {
				told = append(told, bit)
			}
		}
	case a.verb.name == "hget" && strings.HasPrefix(answer, "{"):
		for _, cell := range strings.Fields(strings.Trim(answer, "{}")) {
			if strings.HasPrefix(cell, a.view+"=") {
				told = append(told, "{"+cell+"}")
			}
		}
		for named := count(a.words, a.view); len(told) < named; {
			told = append(told, "{}")
		}
	}
	if len(told) < 2 || len(told) != count(a.words, a.view) {
		return []porcupine.Operation{o}
	}
	a.words = []string{a.view}
	for _, answer := range told {
		o.Input, o.Output = a, answer
		list = append(list, o)
	}
	return list
}

// count returns how often a list has a word.
func count(list []string, word string) (n int) {
	for _, w := range list {
		if w == word {
			n++
		}
	}
	return n
}

// concernsView reports whether an action, with its answer, says anything about the row that is
// looked at or about the table.
func (a action) concernsView(answer string) bool {
	switch a.verb.name {
	case "hget":
		return a.isOfView()
	case "hincr", "hdecr":
		return a.isOfView() || a.mayMake()
	case "hdel":
		return a.isOfView() || answer != unanswered
	}
	return true
}

// storesView reports whether an action stores the row that is looked at.
func (a action) storesView() bool {
	switch a.verb.name {
	case "hset", "hadd":
		return a.isOfView()
	case "hincr", "hdecr":
		return a.isOfView() && a.mayMake()
	}
	return false
}
