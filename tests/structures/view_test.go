package structures

import "github.com/anishathalye/porcupine"

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
			view = append(view, o)
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
