package lists

import (
	"iter"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// mostCallers is how many callers a list remembers the last orders of.
const mostCallers = 256

// remember adds id as the last of the orders whose removals are remembered, and forgets the
// removals of earlier orders of the same caller. It returns false if that costs more than w has.
func (l *List) remember(w *work, id format.OrderID) bool {
	r := removed{id: id}
	for i := range l.removed {
		if of := &l.removed[i]; of.id.Caller == id.Caller {
			if of.id.Batch == id.Batch {
				r = *of
			}
			l.forget(i)
			break
		}
	}
	if len(l.removed) == mostCallers {
		l.forget(0)
	}
	l.removed = append(l.removed, r)
	l.noted += 1 + r.n
	return w.spend(len(l.removed) / callersToken)
}

// isLate reports whether an order of a later batch of the same caller is remembered. Then the append
// with this order was delayed, and its caller no longer waits for the result. A late order has no
// effect, because nobody would get the elements that it removes.
func (l *List) isLate(id *format.OrderID) bool {
	for i := range l.removed {
		if of := &l.removed[i].id; of.Caller == id.Caller {
			return of.Batch > id.Batch
		}
	}
	return false
}

// callersToken is about how many elements of removed are examined in the time that it takes to
// apply a token.
const callersToken = 8

// forget forgets the i-th of removed.
func (l *List) forget(i int) {
	l.noted -= 1 + l.removed[i].n
	l.removed = append(l.removed[:i], l.removed[i+1:]...)
}

// note notes that the last order has removed the element of token i.
func (l *List) note(i uint32) {
	if len(l.removed) == 0 {
		return
	}
	r := &l.removed[len(l.removed)-1]
	l.tokens[i].next = 0
	if r.n == 0 {
		r.first = i + 1
	} else {
		l.tokens[r.last-1].next = i + 1
	}
	r.last = i + 1
	r.n++
	l.noted++
}

// taken returns the indexes of the tokens of up to count elements that the orders with an id have removed, beginning with
// number from. It returns false if nothing is remembered under that id.
func (l *List) taken(p *verbs.Pace, id *format.OrderID, from, count int) (places []uint32, ok bool) {
	for i := range l.removed {
		if r := &l.removed[i]; r.id == *id {
			return l.placesOf(p, r, from, from+min(count, r.n-from)), true
		}
	}
	return nil, false
}

// placesOf returns the indexes of the tokens of what r has removed, from one number up to another.
func (l *List) placesOf(p *verbs.Pace, r *removed, from, to int) []uint32 {
	places := verbs.Grow[uint32](p, nil, to-from)
	i := r.first
	p.Each(to, func(a, b int) {
		for n := a; n < b; n++ {
			if n >= from {
				places = append(places, i-1)
			}
			i = l.tokens[i-1].next
		}
	})
	return places
}

// elementsOf returns the elements that r has removed.
func (l *List) elementsOf(p *verbs.Pace, r *removed) iter.Seq[element] {
	return func(yield func(element) bool) {
		i := r.first
		p.Each(r.n, func(a, b int) {
			for range b - a {
				t := &l.tokens[i-1]
				i = t.next
				yield(t.element(l.log))
			}
		})
	}
}

// appendRemoved appends the tokens of what is still to be remembered.
func (l *List) appendRemoved(p *verbs.Pace, dst []byte) []byte {
	for i := range l.removed {
		r := &l.removed[i]
		if r.id.Expired(l.now) {
			continue
		}
		elements := l.elementsOf(p, r)
		dst = append(r.id.Append(append(dst, letter, signRemoved)), ' ')
		dst = verbs.Grow(p, dst, logSize(elements))
		for e := range elements {
			dst = appendElement(dst, signValue, e)
		}
	}
	return dst
}

// logSize returns the length of tokens that add the elements, or remember them.
func logSize(elements iter.Seq[element]) int {
	size := 0
	for e := range elements {
		if size += len("l> ") + len(e.text); e.data {
			size++
		}
	}
	return size
}
