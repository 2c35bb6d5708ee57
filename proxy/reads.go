package proxy

// reads has verbs take turns that read many items in one round trip: what was
// read is held until all of it is there, and a structure may be large. Whether
// one is, shows only when its head has been read.
type reads struct {
	under   int    // way
	waiting []*run // in the order in which they came
}

const (
	// fewReads is how many items a verb may read at once without taking turns.
	fewReads = 4
	// maxReads is how many verbs that read more a loop has under way.
	maxReads = 4
)

// admit reports whether the operations of r can be sent now. If not, they will
// be when it is its turn.
func (q *reads) admit(r *run) bool {
	if r.reading = len(r.ops) > fewReads; !r.reading {
		return true
	}
	if q.under < maxReads {
		q.under++
		return true
	}
	r.reading = false
	q.waiting = append(q.waiting, r)
	return false
}

// leave is called when r has what it has read.
func (q *reads) leave(r *run) {
	if r.reading {
		r.reading = false
		q.under--
	}
}

// next has those go on whose turn it is. It reports whether there were any.
func (q *reads) next() bool {
	went := false
	for q.under < maxReads && len(q.waiting) > 0 {
		r := q.waiting[0]
		q.waiting = q.waiting[1:]
		r.carryOut(r.ops)
		went = true
	}
	return went
}
