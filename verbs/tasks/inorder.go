package tasks

import (
	"iter"

	"github.com/memverbs/memverbs/verbs"
)

// slowness is how many tokens are folded in the time in which the next task in order is found: in a
// large queue most of what is compared for that is not in the processor's caches.
const slowness = 32

// inOrder returns the tasks in the order in which they can be taken. It holds the places of the
// heap from which the next may come in a heap of its own: if only the first few are wanted, it
// looks at few. With p it pauses if it looks at many.
func (q *Queue) inOrder(p *verbs.Pace) iter.Seq[*task] {
	return func(yield func(*task) bool) {
		if len(q.due) == 0 {
			return
		}
		next := frontier{q: q, places: []uint32{0}}
		for n := 1; len(next.places) > 0; n++ {
			if p != nil && n%max(p.Slice/slowness, 1) == 0 {
				p.Pause()
			}
			at := next.pop()
			if !yield(&q.tasks[q.due[at]]) {
				return
			}
			for child := 2*at + 1; child <= 2*at+2 && child < uint32(len(q.due)); child++ {
				next.push(child)
			}
		}
	}
}

// paceFor returns p if work on all tasks has to be divided, else nil. A short log may be in the reply
// buffer, which would not survive a pause.
func (q *Queue) paceFor(p *verbs.Pace) *verbs.Pace {
	if len(q.log) <= p.Freely() {
		return nil
	}
	return p
}

// frontier is a heap of places in the heap of a queue.
type frontier struct {
	q      *Queue
	places []uint32
}

func (f *frontier) push(place uint32) {
	f.places = append(f.places, place)
	for i := len(f.places) - 1; i > 0 && f.q.sooner(f.places[i], f.places[(i-1)/2]); i = (i - 1) / 2 {
		f.places[i], f.places[(i-1)/2] = f.places[(i-1)/2], f.places[i]
	}
}

func (f *frontier) pop() uint32 {
	h := f.places
	first, last := h[0], len(h)-1
	h[0], h = h[last], h[:last]
	f.places = h
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && f.q.sooner(h[child+1], h[child]) {
			child++
		}
		if !f.q.sooner(h[child], h[i]) {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return first
}
