package lists

import (
	"iter"
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Pops and trims that lose every race against changes by others are given as orders, see
// [structure.Order]:
//
//	l~<id>.(<n>            removes the first n elements
//	l~<id>.)<n>            removes the last n elements
//	l~<id>.<from>:<to>     removes all elements but those from one place to another
//
// The elements that the first two have removed are remembered under the id. In a log that was
// folded, that is
//
//	l=<id>  l:v  l:w       the order with this id has removed v and w

// order is a parsed order.
type order struct {
	id          format.OrderID
	side        byte  // of pops: removeFirst or removeLast; else 0
	count       int   // of pops
	start, stop int64 // of others, as ltrim has them
}

// parseOrder parses an order, without its letter and sign.
func parseOrder(text []byte) (o order, ok bool) {
	o.id, text, ok = format.ParseOrderID(text)
	if !ok || len(text) < len(".(1") || text[0] != '.' {
		return o, false
	}
	if o.side = text[1]; o.side == removeFirst || o.side == removeLast {
		count, ok := protocol.ParseUint(text[2:])
		o.count = int(min(count, math.MaxInt32))
		return o, ok
	}
	o.side = 0
	for i, c := range text {
		if c == ':' {
			var from, to bool
			o.start, from = protocol.ParseInt(text[1:i])
			o.stop, to = protocol.ParseInt(text[i+1:])
			return o, from && to
		}
	}
	return o, false
}

// appendPop appends an order to remove elements at one end.
func appendPop(dst []byte, id *format.OrderID, side byte, count int) []byte {
	dst = id.Append(append(dst, letter, signOrder))
	return append(strconv.AppendInt(append(dst, '.', side), int64(count), 10), ' ')
}

// appendTrim appends an order to remove all but the places in words.
func appendTrim(dst []byte, id *format.OrderID, words []byte) []byte {
	start, rest := protocol.NextWord(words)
	stop, _ := protocol.NextWord(rest)
	dst = id.Append(append(dst, letter, signOrder))
	dst = append(append(dst, '.'), start...)
	return append(append(append(dst, ':'), stop...), ' ')
}

// removed is what the orders with an id have removed.
type removed struct {
	id          format.OrderID
	first, last uint32 // 1 + the index of a token, or 0; token.next leads from the first to the last
	n           int
}

// mostCallers is how many callers a list remembers the last orders of.
const mostCallers = 256

// removedSize is how much memory a removed takes, in bytes.
const removedSize = 64

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

// carryOut carries out the order in token t. It returns false if that costs more than w has.
func (l *List) carryOut(w *work, t *token) bool {
	o, _ := parseOrder(t.value(l.log))
	if l.isLate(&o.id) {
		return w.spend(len(l.removed) / callersToken)
	}
	if !l.remember(w, o.id) {
		return false
	}
	n := l.Live()
	if o.side != 0 {
		return l.removeAt(w, o.side, min(o.count, n), l.note)
	}
	from, to := span(o.start, o.stop, n)
	return l.removeAt(w, removeFirst, from, func(uint32) {}) && l.removeAt(w, removeLast, n-to, func(uint32) {})
}

// removeAt removes n elements at an end, and calls do with the index of each one's token. It
// returns false if that costs more than w has.
func (l *List) removeAt(w *work, side byte, n int, do func(uint32)) bool {
	for n > 0 {
		some := min(n, restsAfter)
		if n -= some; !w.spend(some) {
			return false
		}
		for range some {
			i := l.outermost(side)
			l.remove(l.find(&l.tokens[i]), i)
			do(i)
		}
	}
	return true
}

// outermost returns the index of the token of the first element, or of the last. There must be
// one.
func (l *List) outermost(side byte) uint32 {
	near, far := &l.left, &l.right
	if side == removeLast {
		near, far = far, near
	}
	if near.live > 0 {
		for {
			last := len(near.pushed) - 1
			if i := near.pushed[last]; l.tokens[i].live() {
				return i
			}
			near.pushed = near.pushed[:last]
		}
	}
	for ; ; far.first++ {
		if i := far.pushed[far.first]; l.tokens[i].live() {
			return i
		}
	}
}

// taken returns up to count of the values that the orders with an id have removed, beginning with
// number from, and how many it returns. It returns false if nothing is remembered under that id.
func (l *List) taken(p *verbs.Pace, id *format.OrderID, from, count int) (values iter.Seq[[]byte], n int, ok bool) {
	for i := range l.removed {
		if r := &l.removed[i]; r.id == *id {
			n = min(count, r.n-from)
			return l.valuesOf(p, r, from, from+n), n, true
		}
	}
	return nil, 0, false
}

// valuesOf returns the values of r from one place up to another.
func (l *List) valuesOf(p *verbs.Pace, r *removed, from, to int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := r.first
		p.Each(to, func(a, b int) {
			for n := a; n < b; n++ {
				t := &l.tokens[i-1]
				if i = t.next; n >= from {
					yield(t.value(l.log))
				}
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
		values := l.valuesOf(p, r, 0, r.n)
		dst = append(r.id.Append(append(dst, letter, signRemoved)), ' ')
		dst = verbs.Grow(p, dst, length(values)+r.n*len("l: "))
		for value := range values {
			dst = appendToken(dst, signValue, value)
		}
	}
	return dst
}
