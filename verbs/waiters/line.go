package waiters

import (
	"sync/atomic"

	"github.com/memverbs/memverbs/verbs/waiters/alarms"
)

// line is the calls of an event loop that wait for one structure, in the order in which they have asked. It remains for
// a moment when the last has left it, so that those who come anew do not ask the upstream more often.
//
// At any time either the line is queued to try, or some of its calls are being made, or its alarm is set.
type line struct {
	table       *Table
	id          lineID
	first, last *Waiter
	alarm       alarms.Alarm[due] // when it tries next
	called      atomic.Bool

	queued bool  // in Table.queue
	tries  int   // calls that are being made, see [line.counts]
	lasts  int   // calls whose time is over, and that may have to be made a last time
	again  bool  // it was woken since those began
	dry    bool  // one of them has found nothing
	burst  int   // how many began together
	gap    int64 // milliseconds until the next try if nothing wakes it

	nothing []byte // the answer to the last call that has found nothing
	empty   uint64 // when that call was made, see [moments]

	probes probes // with All
}

// lineID identifies a line of a table.
type lineID struct {
	key   string // of the structure
	class string // see [Request.Class]
	all   bool   // see [Request.All]
}

const (
	// firstGap is how long after a try the next follows, in milliseconds, if something was found lately or the line
	// has just begun. Each time that nothing is found it is doubled, up to mostGap.
	firstGap = 10
	mostGap  = 200
	// grid is the unit of times of tries once they are rare, so that many lines try at the same time: their requests
	// are sent together.
	grid = 10
	// mostTries is how many calls of a line are made at the same time.
	mostTries = 256
)

// add adds w at the end.
func (l *line) add(w *Waiter) {
	if w.line, w.prev = l, l.last; l.last == nil {
		l.first = w
	} else {
		l.last.next = w
	}
	l.last = w
}

// leave removes w, which is answered.
func (l *line) leave(w *Waiter) {
	if w.state == wantsLast {
		l.lasts--
	}
	l.table.alarms.Unset(&w.alarm)
	l.remove(w)
	w.state = answered
	l.table.waiting--
}

// remove removes w.
func (l *line) remove(w *Waiter) {
	if w.prev == nil {
		l.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		l.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.next, w.prev = nil, nil
}

// try has w make its call.
func (l *line) try(w *Waiter) {
	if w.state == wantsLast {
		l.lasts--
		w.state = triesLast
	} else {
		w.state = tries
	}
	if l.counts(w) {
		l.tries++
	}
	w.tried = l.table.moments.next()
	w.call.Try()
}

// counts reports whether the line waits for the outcome of w, which is being made because it is the line's turn to try. A
// call that takes nothing from others is first and last made by itself.
func (l *line) counts(w *Waiter) bool { return w.speaks || !l.id.all }

// beforeOrIs returns the first call up to w that waits and can have what w has found; w if there is none before it.
func (l *line) beforeOrIs(w *Waiter) *Waiter {
	first := l.first
	for first != w && (!first.waiting() || first.alike != w.alike) {
		first = first.next
	}
	return first
}

// call is called on any goroutine when something may have been added to the structure. Until the line has heard of it,
// further calls need not tell it.
func (l *line) call() {
	if l.called.CompareAndSwap(false, true) {
		l.table.post(func() {
			l.called.Store(false)
			l.wake()
			l.table.GoOn()
		})
	}
}

// wake has the first call try: once more, if calls are being made. With All, it has one probe.
func (l *line) wake() {
	if l.first == nil {
		return
	}
	if l.again = l.id.all || l.tries > 0; l.tries == 0 && !l.queued {
		l.queue(1)
	}
}

// queue has so many calls try next.
func (l *line) queue(n int) {
	l.queued, l.burst = true, n
	l.table.alarms.Unset(&l.alarm)
	l.table.queue = append(l.table.queue, l)
}

// begin makes the first calls, as many as are to try together; with All, those that are to try.
func (l *line) begin() {
	l.queued, l.dry = false, false
	l.tries++ // so that it does not end before all have begun
	if l.id.all {
		l.beginSome()
	} else {
		l.beginFirst()
	}
	l.tries--
	l.end()
}

// beginFirst makes the first calls.
func (l *line) beginFirst() {
	l.again = false
	for w, n := l.first, 0; w != nil && n < l.burst; n++ {
		next := w.next // if w is answered at once, it leaves the line
		if w.waiting() {
			l.try(w)
		}
		w = next
	}
}

// end is called when a call has been made. When all have, it says what follows.
func (l *line) end() {
	if l.tries > 0 || l.queued {
		return
	}
	if l.lasts > 0 && !l.id.all {
		l.endLasts()
	}
	switch {
	case l.first != nil && (l.again || l.probes.behind || l.lasts > 0 && !l.id.all):
		l.queue(1)
	case l.first != nil && !l.dry && !l.id.all:
		l.queue(min(2*l.burst, mostTries))
	case !l.alarm.IsSet():
		l.rest()
	}
}

// endLasts answers the calls whose time is over, if one has found nothing since they asked.
func (l *line) endLasts() {
	for w := l.first; w != nil; {
		next := w.next
		if w.state == wantsLast && w.asked < l.empty {
			l.leave(w)
			w.call.Over(l.nothing)
		}
		w = next
	}
}

// rest sets the alarm.
func (l *line) rest() {
	at := l.table.now() + l.gap
	if l.gap >= mostGap/2 {
		at = (at + grid - 1) / grid * grid
	}
	l.gap = min(2*l.gap, mostGap)
	l.table.alarms.Set(&l.alarm, at)
}
