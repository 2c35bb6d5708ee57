package execution

import "slices"

// fairQueue is a queue of verbs that wait for the same resource. It serves clients round-robin, however
// many of their verbs wait, and of a client's verbs the one that began first:
//
//	next ▶ line of a client ──▶ its oldest verb, next, …
//	       line of another  ──▶ …
//
// When a verb is taken, its line leaves the queue. If other verbs wait in the line, it enters the
// queue again at the end.
type fairQueue struct{ lines []*line }

// line is the verbs of one client that wait in a fair queue, oldest first.
type line struct {
	verbs  []*Execution
	queued bool // in the queue; a line with verbs is not if its client must not be served now
}

// add makes r wait in l, and l in the queue.
func (q *fairQueue) add(l *line, r *Execution) {
	l.insert(r)
	q.enter(l)
}

// insert makes r wait in l.
func (l *line) insert(r *Execution) {
	place := slices.IndexFunc(l.verbs, func(other *Execution) bool { return other.number > r.number })
	if place < 0 {
		place = len(l.verbs)
	}
	l.verbs = slices.Insert(l.verbs, place, r)
}

// enter puts l at the end of the queue if it has verbs and is not there yet.
func (q *fairQueue) enter(l *line) {
	if !l.queued && len(l.verbs) > 0 {
		l.queued = true
		q.lines = append(q.lines, l)
	}
}

// len returns how many clients wait.
func (q *fairQueue) len() int { return len(q.lines) }

// at returns the next verb of the i-th client.
func (q *fairQueue) at(i int) *Execution { return q.lines[i].verbs[0] }

// take removes the verb that at returns, and its line, from the queue, and returns both. The line may enter again.
func (q *fairQueue) take(i int) (*Execution, *line) {
	l := q.lines[i]
	if i == 0 {
		takeFirst(&q.lines)
	} else {
		q.lines = slices.Delete(q.lines, i, i+1)
	}
	l.queued = false
	return takeFirst(&l.verbs), l
}

// pick removes the verbs that which selects from l, and l from the queue if it has no others.
func (q *fairQueue) pick(l *line, which func(*Execution) bool) (picked []*Execution) {
	l.verbs = slices.DeleteFunc(l.verbs, func(r *Execution) bool {
		selected := which(r)
		if selected {
			picked = append(picked, r)
		}
		return selected
	})
	if l.queued && len(l.verbs) == 0 {
		l.queued = false
		q.lines = slices.DeleteFunc(q.lines, func(other *line) bool { return other == l })
	}
	return picked
}
