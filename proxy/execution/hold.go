package execution

import "slices"

// While a verb holds an item because it is about to change it, appends to the item wait.

// Hold implements [structure.Env].
func (a *appends) Hold(structure, key []byte, on bool) {
	hash, owner := a.queues.hash(key), a.core.place(structure)
	q := a.queues.find(hash, owner, key)
	switch {
	case on && q == nil:
		q = a.newQueue(hash, owner, key, structure)
		fallthrough
	case on:
		if q.hold.holders++; q.hold.holders == 1 {
			q.hold.place = len(a.held)
			a.held = append(a.held, q)
		}
		a.core.Clock.Start()
		q.hold.until = a.core.Clock.After(a.core.Timeout)
	case q == nil, q.hold.holders == 0: // the hold has expired
	default:
		if q.hold.holders--; q.hold.holders == 0 {
			q.free()
		}
	}
}

// free ends a hold. The queue proceeds only at the end of the callback, because the verb that held the item may
// append in the same callback, and its append comes first.
func (q *appendQueue) free() {
	a := q.appends
	q.hold.holders = 0
	last := len(a.held) - 1
	a.held[q.hold.place], a.held[last].hold.place = a.held[last], q.hold.place
	a.held[last], a.held = nil, a.held[:last]
	if len(q.waiting) > 0 && a.core.Clock.Ticks-q.since >= longWait {
		a.overdue = append(a.overdue, q)
	} else {
		a.freed = append(a.freed, q)
	}
}

// longWait is how long, in ticks, appends wait while one verb after another holds their item and none takes them
// along. Without this limit, clients that pop without a pause would keep others from pushing. It is not shorter
// because each append changes the item, so that a verb which has read it has to begin again.
const longWait = 2

// Overdue implements [structure.Env].
func (a *appends) Overdue(structure, key []byte) bool {
	if len(a.overdue) == 0 {
		return false
	}
	q := a.queueOf(structure, key)
	return slices.Contains(a.overdue, q)
}

// nextOverdue proceeds with the queues whose appends have waited for longWait. It reports whether
// there were any.
func (a *appends) nextOverdue() bool {
	any := len(a.overdue) > 0
	for len(a.overdue) > 0 {
		takeFirst(&a.overdue).proceed()
	}
	return any
}

// onTick ends holds that have expired. It reports whether any holds remain.
func (a *appends) onTick() bool {
	for i := len(a.held) - 1; i >= 0; i-- {
		if i < len(a.held) && a.core.Clock.Passed(a.held[i].hold.until) {
			a.held[i].free()
		}
	}
	return len(a.held) > 0
}
