package tasks

// put puts t, whose id is log[from:to], in place of any task with the same id or name.
func (q *Queue) put(t *task, from, to uint32) {
	id := q.nameOf(from, to)
	if other := q.names[id].task; other > 0 {
		q.drop(other - 1)
	}
	i := q.newTask(t.putAt)
	of := &q.tasks[i]
	of.when, of.until, of.attempts, of.nonceAt, of.name = t.when, t.until, t.attempts, t.nonceAt, id
	q.names[id].task = i + 1
	q.add(i)
}

// newTask returns the index of a new task whose put is at an index of the log. It comes after all
// others in the order of puts. If there is a task of the same put, it replaces that task.
func (q *Queue) newTask(at uint32) uint32 {
	slot, hash := q.slotAt(at)
	if *slot > 0 {
		q.drop(*slot - 1)
		q.tasks[*slot-1].gone = false // the new task has the state now
	}
	q.tasks = append(q.tasks, task{hash: hash, putAt: at})
	*slot = uint32(len(q.tasks))
	return *slot - 1
}

// take makes attempt n at task i, if it is the next one and the task was due.
func (q *Queue) take(i, n uint32, from, until int64, nonceAt uint32) {
	if t := &q.tasks[i]; t.there() && n == t.attempts+1 && from >= t.at() {
		q.length -= q.tokenSize(t)
		t.attempts, t.until, t.nonceAt = n, until, nonceAt
		q.length += q.tokenSize(t)
		q.moved(i)
	}
}

// putOff makes attempt n at task i prolong its hold until a time, or give the task back until then.
// A hold never becomes shorter: a token that arrives late must not shorten a hold that a later one
// has prolonged.
func (q *Queue) putOff(i, n uint32, holds bool, time int64) {
	t := &q.tasks[i]
	if !t.there() || n != t.attempts {
		return
	}
	if holds {
		t.until = max(t.until, time)
	} else {
		t.when, t.until = time, 0
	}
	q.moved(i)
}

// end makes attempt n end task i.
func (q *Queue) end(i, n uint32) {
	if t := &q.tasks[i]; t.there() && n == t.attempts {
		q.drop(i)
	}
}

// drop removes task i.
func (q *Queue) drop(i uint32) {
	t := &q.tasks[i]
	if t.there() {
		q.names[t.name].task = 0
		q.remove(i)
	}
	t.gone = true
}

// dropID removes the task whose id is log[from:to].
func (q *Queue) dropID(from, to uint32) {
	if other := q.names[q.nameOf(from, to)].task; other > 0 {
		q.drop(other - 1)
	}
}
