package execution

import "slices"

// turns has what takes long done a slice at a time, and in between the loop serves
// others: each time that the event loop has looked at all sockets, one verb works
// on for a slice. That is of one client after another, and of the client's verbs
// the one that began first.
type turns struct {
	on    *core
	queue []*Caller // with verbs that have paused, in turn
	read  int       // bytes, by verbs that have gone on with that in this callback
}

// readAtOnce is how much verbs go on with in one callback, in bytes: to fold so much
// takes about a millisecond. What one of them has read may be more.
const readAtOnce = 256 << 10

// mayRead reports whether a verb may go on now that has read n bytes.
func (t *turns) mayRead(n int) bool {
	if t.read > 0 && t.read+n > readAtOnce {
		return false
	}
	t.read += n
	return true
}

// pause has r go on when it is its turn.
func (t *turns) pause(r *Execution) {
	c := r.caller
	if len(c.paused) == 0 {
		t.queue = append(t.queue, c)
	}
	c.paused = insert(c.paused, r)
	t.on.Net.AwaitEndOfTurn()
}

// next is called at the end of every turn of the event loop.
func (t *turns) next() {
	if len(t.queue) == 0 {
		return
	}
	t.on.Settle() // so that what is to be written does not wait for the slice
	if len(t.queue) == 0 {
		return
	}
	c := takeFirst(&t.queue)
	r := takeFirst(&c.paused)
	if len(c.paused) > 0 {
		t.queue = append(t.queue, c)
	}
	if len(t.queue) > 0 {
		t.on.Net.AwaitEndOfTurn()
	}
	if c.gone && r.Verb.ReadOnly {
		r.abandon()
		return
	}
	r.hasRead()
	r.carryOut(r.routine.Resume())
}

// shut ends what has paused.
func (t *turns) shut() {
	for _, c := range t.queue {
		for _, r := range slices.Clone(c.paused) {
			r.abandon()
		}
		c.paused = nil
	}
	t.queue = nil
}
