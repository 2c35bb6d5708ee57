package tasks

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// offer is the tasks that are due, as the calls of an event loop that append together choose from
// them: each gets the oldest that none before it has claimed. As long as no other loop takes tasks
// of the queue, they are handed out in order.
//
// Where others do, all would claim the same ones. So a loop that has lost some lately chooses every
// second one at random among the oldest few. It never chooses more at random: so each second claim
// is of the oldest task, and none has to wait for more than twice as many takes of a loop as there
// were tasks before it.
type offer struct {
	q       *Queue
	rest    ordered // the tasks that were not looked at yet
	now     int64
	due     []offered         // tasks that were looked at, the oldest first
	oldest  int               // those before it are not free
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
			random: c.Random, contended: c.Contended(), inOrder: c.Env.Hints().Of(c.Key).Turn,
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

// withhold keeps the task of a put, which another call of the batch changes, from being claimed.
func (o *offer) withhold(put []byte) {
	if o.changed == nil {
		o.changed = map[verbs.ID]bool{}
	}
	o.changed[verbs.ID(put)] = true
}

// reach looks at tasks up to the one at a place. It returns false if not so many are due.
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

// free reports whether no other call of the batch has claimed the task at a place, or changes it.
func (o *offer) free(place int) bool {
	of := &o.due[place]
	return !of.claimed && (len(o.changed) == 0 || !o.changed[verbs.ID(o.q.tasks[of.task].put(o.q.log))])
}
