package lists

import (
	"iter"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// remember makes id that of the last orders whose removals are remembered. It returns false if that costs more than w
// has.
func (l *List) remember(w *work, id format.OrderID) bool {
	l.removed.Latest(id)
	l.noted = len(l.removed)
	for i := range l.removed {
		l.noted += l.removed[i].Is.n
	}
	return w.spend(len(l.removed) / callersToken)
}

// callersToken is about how many elements of removed are examined in the time that it takes to
// apply a token.
const callersToken = 8

// note notes that the last order has removed the element of token i.
func (l *List) note(i uint32) {
	if len(l.removed) == 0 {
		return
	}
	r := &l.removed[len(l.removed)-1].Is
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
	if r := l.removed.Of(id); r != nil {
		return l.placesOf(p, r, from, from+min(count, r.n-from)), true
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
		if r.ID.Expired(l.now) {
			continue
		}
		elements := l.elementsOf(p, &r.Is)
		dst = append(r.ID.Append(append(dst, letter, signRemoved)), ' ')
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
