package tasks

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// offer is the tasks that are due, for the calls of an event loop that append together: each call
// chooses the oldest task that no call before it has chosen. As long as no other loop takes tasks
// of the queue, they are handed out in order.
//
// If several loops take tasks, all of them would choose the same ones. So a loop that has lately
// lost tasks to others chooses every second task at random among the oldest few. The other half of
// its choices is always the oldest task, so that a task waits for at most twice as many takes of
// the loop as there are tasks before it.
type offer struct {
	q       *Queue
	rest    ordered // the tasks that were not examined yet
	now     int64
	due     []offered         // tasks that were examined, the oldest first
	oldest  int               // place in due of the oldest task that may be free
	changed map[verbs.ID]bool // the puts that other calls of the batch change

	random    func(n int) int
	contended bool // others have taken what this loop has claimed lately
	inOrder   bool // the loop's last claim was of the oldest task
}

// offered is a task that is due.
type offered struct {
	task    uint32 // its index
	claimed bool
}

// A task is chosen at random among the oldest ones: spread times as many as a call wants, but at least
// leastSpread. The more they are, the less often two loops try to take the same task.
const (
	spread      = 4
	leastSpread = 32
)

// offerOf returns what the calls of a batch choose from.
func (c taskCall) offerOf(to *structure.Batch) *offer {
	o, ok := to.Notes.(*offer)
	if !ok {
		q := to.Fold.(*Queue)
		o = &offer{
			q: q, rest: q.ordered(q.paceFor(to.Pace)), now: c.Env.Now(),
			random: c.Random, contended: c.Contended(), inOrder: c.Env.Hints().Of(c.Key).InOrder,
		}
		to.Notes = o
	}
	return o
}

// choose returns the place of a task for a call that wants a number of tasks. It returns false if there is
// none.
func (o *offer) choose(want int) (place int, ok bool) {
	for o.reach(o.oldest) && !o.free(o.oldest) {
		o.oldest++
	}
	if o.oldest == len(o.due) {
		return 0, false
	}
	place = o.oldest
	if o.contended && o.inOrder {
		few := max(spread*want, leastSpread)
		o.reach(o.oldest + few - 1)
		place += o.random(min(few, len(o.due)-o.oldest))
		for !o.free(place) {
			if place++; place == len(o.due) {
				place = o.oldest
			}
		}
	}
	return place, true
}

// claim claims the task at a place.
func (o *offer) claim(place int) {
	o.due[place].claimed = true
	o.inOrder = place == o.oldest
}

// withhold keeps the task of a put from being chosen, because another call of the batch changes it.
func (o *offer) withhold(put []byte) {
	if o.changed == nil {
		o.changed = map[verbs.ID]bool{}
	}
	o.changed[verbs.ID(put)] = true
}

// reach examines tasks up to the one at a place. It returns false if fewer are due.
func (o *offer) reach(place int) bool {
	for len(o.due) <= place {
		i, ok := o.rest.next()
		if !ok || o.q.tasks[i].at() > o.now {
			o.rest.places = nil
			return false
		}
		o.due = append(o.due, offered{task: i})
	}
	return true
}

// free reports whether no other call of the batch has chosen or changes the task at a place.
func (o *offer) free(place int) bool {
	of := &o.due[place]
	return !of.claimed && (len(o.changed) == 0 || !o.changed[verbs.ID(o.q.tasks[of.task].put(o.q.log))])
}
