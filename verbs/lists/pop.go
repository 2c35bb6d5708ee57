package lists

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// lpop, rpop and ltrim read the list, choose elements, and append removals of exactly these
// elements, only if the list has not changed. So no two callers get the same element. While others
// change the list all the time, the calls append orders instead (orders.go).

// lpop removes elements from the left end and answers with them.
var lpop = popping(verbs.Verb{
	Verb:  protocol.Verb{Name: "lpop", Usage: "<key> [<count>]" + verbs.WaitUsage, Read: readCount},
	Does:  "removes the first elements of a list and answers with them; with wait, waits so many milliseconds for one if there is none",
	Reads: true, Ordered: true, Removes: true, Waits: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>[/<count>]" + verbs.WaitShape, Times: 1, Listed: true},
}, removeFirst)

// rpop removes elements from the right end and answers with them, the last one first.
var rpop = popping(verbs.Verb{
	Verb:  protocol.Verb{Name: "rpop", Usage: "<key> [<count>]" + verbs.WaitUsage, Read: readCount},
	Does:  "removes the last elements of a list and answers with them, the last one first; with wait, as lpop",
	Reads: true, Ordered: true, Removes: true, Waits: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>[/<count>]" + verbs.WaitShape, Times: 1, Listed: true},
}, removeLast)

// fewRemoved is how many elements a call may remove if it is decided together with others.
const fewRemoved = 16

// popping returns v completed as a verb that removes elements at an end, by tokens of the given
// sign, and answers with them.
func popping(v verbs.Verb, sign byte) verbs.Verb {
	v.Run = structure.Deciding{
		Kind: &Kind,
		Choose: func(e *structure.Engine) func(*verbs.Pace, format.Fold) structure.Choice {
			return func(p *verbs.Pace, fold format.Fold) structure.Choice {
				return listCall{e}.choose(p, fold.(*List), sign)
			}
		},
		Brief:  structure.Few,
		Alone:  func(e *structure.Engine) bool { return e.Wanted() > fewRemoved },
		Order:  func(e *structure.Engine) *structure.Order { return listCall{e}.orderToPop(sign) },
		Answer: (*structure.Engine).EndDecided,
	}.Run()
	return v
}

// mostWithData is how many elements a call pops at most from a list that has elements with data. In the answer, each of
// these takes more than in the log, by a line with the key, and that is not counted as memory.
const mostWithData = 1000

// popped returns how many elements a call pops at most that asks for n.
func (l *List) popped(n int) int {
	if l.data > 0 {
		return min(n, mostWithData)
	}
	return n
}

// orderToPop returns the call as an order.
func (c listCall) orderToPop(sign byte) *structure.Order {
	o := &structure.Order{Use: structure.Sampled, Remembered: true, Wants: c.Wanted()}
	o.Looks = o.Wants > mostWithData
	o.Append = func(dst []byte, to *structure.Batch) []byte {
		if list, ok := to.Fold.(*List); ok {
			o.Wants = list.popped(c.Wanted())
		}
		c.Buf = appendPop(c.Buf[:0], &to.ID, sign, o.Wants)
		return append(dst, c.Buf...)
	}
	o.Take = func(p *verbs.Pace, fold format.Fold, id *format.OrderID, from int) (n int, ok bool) {
		list := fold.(*List)
		taken, ok := list.taken(p, id, from, o.Wants)
		if ok {
			c.tellPopped(p, list, taken)
		}
		return len(taken), ok
	}
	return o
}

// tellPopped writes an answer with elements that were popped, without its END.
func (c listCall) tellPopped(p *verbs.Pace, list *List, popped []uint32) {
	c.Answer = c.Answer[:0]
	c.tell(p, list, popped, 0, c.Wanted() == 1)
}

// choose writes an answer with the elements that are to be removed, without its END, and chooses
// the tokens that remove them.
func (c listCall) choose(p *verbs.Pace, list *List, sign byte) structure.Choice {
	popped := list.end(p, min(list.popped(c.Wanted()), list.Live()), sign)
	c.Buf = c.Buf[:0]
	c.tellPopped(p, list, popped)
	c.remove(p, list, popped, sign)
	return structure.Choice{Tokens: c.Buf, Empties: list.isEmptyWithout(len(popped))}
}

// isEmptyWithout reports whether the log would be empty after the removal of n elements: neither elements
// are left, nor removals by orders that have to be remembered.
func (l *List) isEmptyWithout(n int) bool { return l.Live() == n && len(l.removed) == 0 }

// end returns the indexes of the tokens of n elements at an end, the outermost first: those
// at the left if sign is removeFirst, those at the right if it is removeLast.
func (l *List) end(p *verbs.Pace, n int, sign byte) []uint32 {
	if sign == removeFirst {
		return l.places(p, 0, n)
	}
	last := l.places(p, l.Live()-n, l.Live())
	slices.Reverse(last)
	return last
}

// remove adds to Buf the tokens that remove elements at an end, the outermost first.
func (c listCall) remove(p *verbs.Pace, list *List, places []uint32, sign byte) {
	size, rests := 0, list.restsIn(p)
	for _, i := range places {
		rests.Rest(1)
		size += removalSize(list.tokens[i].element(list.log))
	}
	c.Buf = verbs.Grow(p, c.Buf, size)
	for _, i := range places {
		rests.Rest(1)
		c.Buf = appendRemoval(c.Buf, sign, list.tokens[i].element(list.log))
	}
}
