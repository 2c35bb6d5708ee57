package tasks

import (
	"iter"

	"github.com/memverbs/memverbs/verbs"
)

// slowness is how many tokens can be folded in the time that it takes to find the next task in
// order: in a large queue most of the tasks that are compared are not in the processor's caches.
const slowness = 32

// inOrder returns the tasks in the order in which they can be taken. With p it pauses if it looks at
// many.
func (q *Queue) inOrder(p *verbs.Pace) iter.Seq[*task] {
	return func(yield func(*task) bool) {
		o := q.ordered(p)
		for i, ok := o.next(); ok; i, ok = o.next() {
			if !yield(&q.tasks[i]) {
				return
			}
		}
	}
}

// anyDue reports whether any task can be taken at a time that was taken fewer than most times. With p it pauses if it
// looks at many.
func (q *Queue) anyDue(p *verbs.Pace, now int64, most uint32) bool {
	if len(q.due) > 0 && q.tasks[q.due[0]].attempts < most { // as nearly always
		return q.tasks[q.due[0]].at() <= now
	}
	for t := range q.inOrder(p) {
		if t.at() > now || t.attempts < most {
			return t.at() <= now
		}
	}
	return false
}

// ordered finds the tasks of a queue one after another, in the order in which they can be taken. A
// heap of its own has the places of the queue's heap where the next task may be, so that it looks
// at few tasks if only the first few are wanted.
type ordered struct {
	q      *Queue
	places []uint32
	pace   *verbs.Pace // to pause if it looks at many, or nil
	looked int
}

func (q *Queue) ordered(p *verbs.Pace) ordered {
	o := ordered{q: q, pace: p}
	if len(q.due) > 0 {
		o.push(0)
	}
	return o
}

// next returns the index of the next task. It returns false if there is none.
func (o *ordered) next() (i uint32, ok bool) {
	if len(o.places) == 0 {
		return 0, false
	}
	if o.looked++; o.pace != nil && o.looked%max(o.pace.Slice/slowness, 1) == 0 {
		o.pace.Pause()
	}
	at := o.pop()
	for child := 2*at + 1; child <= 2*at+2 && child < uint32(len(o.q.due)); child++ {
		o.push(child)
	}
	return o.q.due[at], true
}

func (o *ordered) push(place uint32) {
	o.places = append(o.places, place)
	for i := len(o.places) - 1; i > 0 && o.q.sooner(o.places[i], o.places[(i-1)/2]); i = (i - 1) / 2 {
		o.places[i], o.places[(i-1)/2] = o.places[(i-1)/2], o.places[i]
	}
}

func (o *ordered) pop() uint32 {
	h := o.places
	first, last := h[0], len(h)-1
	h[0], h = h[last], h[:last]
	o.places = h
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && o.q.sooner(h[child+1], h[child]) {
			child++
		}
		if !o.q.sooner(h[child], h[i]) {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return first
}

// paceFor returns p if work on all tasks has to be divided, else nil.
func (q *Queue) paceFor(p *verbs.Pace) *verbs.Pace { return p.ForLog(len(q.log)) }
