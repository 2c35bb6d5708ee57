package execution

// turns schedules long work, which is divided into slices so that the loop can serve others between
// them. In each turn of the event loop one verb works for a slice, or several go on that were put
// off only because others had read too much in a callback. Clients are served round-robin, and of a
// client's verbs the oldest goes on.
type turns struct {
	core  *core
	queue fairQueue
	read  int // bytes read by verbs that were resumed in this callback
}

// readAtOnce is how many bytes verbs may process in one callback: folding them takes
// about a millisecond. A single verb may exceed it.
const readAtOnce = 256 << 10

// mayRead reports whether a verb that has read n bytes may be resumed in this callback.
func (t *turns) mayRead(n int) bool {
	if t.read > 0 && t.read+n > readAtOnce {
		return false
	}
	t.read += n
	return true
}

// add queues r, which is paused or was put off.
func (t *turns) add(r *Execution) {
	t.queue.add(&r.caller.paused, r)
	t.core.Net.AwaitEndOfTurn()
}

// goesOn reports whether the next paused verb may be resumed in this turn: the first one, and
// those after it that have read little.
func (t *turns) goesOn() bool {
	if t.queue.len() == 0 {
		return false
	}
	next := t.queue.at(0)
	return t.read == 0 || next.stage == putOff && t.read+next.trip.copied <= readAtOnce
}

// take removes the next paused verb from the queue.
func (t *turns) take() *Execution {
	r, line := t.queue.take(0)
	t.queue.enter(line)
	if r.stage == putOff {
		t.read += r.trip.copied
	}
	return r
}
