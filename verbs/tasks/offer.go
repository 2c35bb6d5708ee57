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
	fewest  uint32            // how often those before it were taken, at least
	changed map[verbs.ID]bool // the puts that other calls of the batch change

	random    func(n int) int
	contended bool // others have taken what this loop has claimed lately
	inOrder   bool // the loop's last claim was of the oldest task
}

// wanted is what a call wants to take.
type wanted struct {
	count   int    // how many tasks at most
	seconds int64  // for which to hold them
	most    uint32 // only tasks that were taken fewer times
}

// chooser is a call that chooses from an offer.
type chooser struct {
	wanted
	oldest int  // place in due of the oldest task that the call may get
	due    bool // a task is due that it may take, but for other calls of the batch
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
			q: q, fewest: mostAttempts, rest: q.ordered(q.paceFor(to.Pace)), now: c.Env.Now(),
			random: c.Random, contended: c.Contended(), inOrder: c.Env.Hints().Of(c.Key).InOrder,
		}
		to.Notes = o
	}
	return o
}

// chooser returns a call that chooses from o and has chosen nothing yet.
func (o *offer) chooser(w wanted) chooser {
	for o.reach(o.oldest) && !o.free(o.oldest) {
		o.fewest = min(o.fewest, o.q.tasks[o.due[o.oldest].task].attempts)
		o.oldest++
	}
	return chooser{wanted: w, oldest: o.oldest, due: o.fewest < w.most}
}

// choose returns the place of a task for a call. It returns false if there is none.
func (o *offer) choose(of *chooser) (place int, ok bool) {
	for o.reach(of.oldest) && !o.suits(of, of.oldest) {
		of.oldest++
	}
	if of.oldest == len(o.due) {
		return 0, false
	}
	place = of.oldest
	if o.contended && o.inOrder {
		few := max(spread*of.count, leastSpread)
		o.reach(of.oldest + few - 1)
		place += o.random(min(few, len(o.due)-of.oldest))
		for !o.suits(of, place) {
			if place++; place == len(o.due) {
				place = of.oldest
			}
		}
	}
	return place, true
}

// suits reports whether a call can have the task at a place.
func (o *offer) suits(of *chooser, place int) bool {
	if o.q.tasks[o.due[place].task].attempts >= of.most {
		return false
	}
	of.due = true
	return o.free(place)
}

// claim has a call claim the task at a place.
func (o *offer) claim(of *chooser, place int) {
	o.due[place].claimed = true
	o.inOrder = place == of.oldest
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
