package tasks

// The tasks in the queue are in a binary heap, ordered by the time at which they can be taken next,
// and those with the same time by their place in the log: each comes after the one at half its
// place.

// add adds task i.
func (q *Queue) add(i uint32) {
	q.length += q.tokenSize(&q.tasks[i])
	q.due = append(q.due, i)
	q.set(uint32(len(q.due)-1), i)
	q.up(uint32(len(q.due) - 1))
}

// remove removes task i.
func (q *Queue) remove(i uint32) {
	q.length -= q.tokenSize(&q.tasks[i])
	at, last := q.tasks[i].place-1, uint32(len(q.due)-1)
	q.tasks[i].place = 0
	moved := q.due[last]
	q.due = q.due[:last]
	if at < last {
		q.set(at, moved)
		q.moved(moved)
	}
}

// moved restores the heap after the time of task i has changed.
func (q *Queue) moved(i uint32) {
	q.up(q.tasks[i].place - 1)
	q.down(q.tasks[i].place - 1)
}

// set sets the task at a place of the heap.
func (q *Queue) set(at, i uint32) {
	q.due[at] = i
	q.tasks[i].place = at + 1
}

// sooner reports whether the task at a place of the heap comes before that at another.
func (q *Queue) sooner(a, b uint32) bool {
	i, j := q.due[a], q.due[b]
	if t, u := q.tasks[i].at(), q.tasks[j].at(); t != u {
		return t < u
	}
	return i < j
}

func (q *Queue) swap(a, b uint32) {
	i, j := q.due[a], q.due[b]
	q.set(a, j)
	q.set(b, i)
}

func (q *Queue) up(at uint32) {
	for at > 0 && q.sooner(at, (at-1)/2) {
		q.swap(at, (at-1)/2)
		at = (at - 1) / 2
	}
}

func (q *Queue) down(at uint32) {
	for n := uint32(len(q.due)); 2*at+1 < n; {
		child := 2*at + 1
		if child+1 < n && q.sooner(child+1, child) {
			child++
		}
		if !q.sooner(child, at) {
			return
		}
		q.swap(at, child)
		at = child
	}
}
