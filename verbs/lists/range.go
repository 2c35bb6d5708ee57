package lists

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// lrange answers with the elements from one place to another.
var lrange = verbs.Verb{
	Verb:  protocol.Verb{Name: "lrange", Usage: "<key> [<start> <stop>]", Read: readRange},
	Does:  "answers with the elements of a list from one place to another, both included; -1 is the last",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>[/<start>/<stop>]", Times: 2, Listed: true},
	Run:   onLists(listCall.lrange),
}

// lrange answers with the requested elements. If there is no memory for that, the list is read again when there is.
func (c listCall) lrange() {
	for range verbs.MaxTries {
		s := c.LoadOne(c.Key, structure.Listed)
		list, _ := c.FoldOrEnd(s).(*List)
		if list == nil {
			return
		}
		c.Item = s.Reply.Item()
		if c.missesIn(list) {
			c.End()
		} else if list.data == 0 {
			c.rangeOfWords(list)
		} else if !c.rangeOfData(list) {
			continue
		}
		c.AfterRead(c.Compaction(nil, s))
		return
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// rangeOfWords answers with the requested elements of a list without data.
func (c listCall) rangeOfWords(list *List) {
	from, to := c.span(list.Live())
	size := list.size(&c.Pace, from, to)
	if !c.TooLong(size) {
		c.tellWords(&c.Pace, size, list.elements(&c.Pace, from, to))
		c.End()
	}
}

// rangeOfData answers with the requested elements of a list with data. The answer may be longer than the log: rangeOfData
// returns false if there is no memory for it.
func (c listCall) rangeOfData(list *List) bool {
	from, to := c.span(list.Live())
	places := list.places(&c.Pace, from, to)
	size, _ := list.sizeAt(list.restsIn(&c.Pace), places)
	lines := c.linesSize(size, len(places))
	if c.TooLong(lines) {
		return true
	}
	if c.Spare = lines + 4*len(places); c.Spare > c.Pace.Freely() && !c.ReserveMore(c.Spare) {
		return false
	}
	start, stop, ok := c.places()
	c.tell(&c.Pace, list, places, from, ok && start == stop)
	c.End()
	return true
}

// missesIn reports whether a list has no element at the places of a request that is carried by a get of a key. That gets a miss
// rather than an empty value, so that a client which asks for a page place by place takes nothing for an element.
func (c listCall) missesIn(list *List) bool {
	from, to := c.span(list.Live())
	_, _, placed := c.places()
	return c.Listed && placed && from == to
}

// span returns the places that the request's start and stop mean in a list of n elements: all
// places if the request has none.
func (c listCall) span(n int) (from, to int) {
	start, stop, ok := c.places()
	if !ok {
		return 0, n
	}
	return span(start, stop, n)
}

// places returns the request's start and stop; ok is false if it has none.
func (c listCall) places() (start, stop int64, ok bool) {
	start, stop, _ = verbs.Page(c.Words)
	return start, stop, len(c.Word(0)) > 0
}

// llen answers with the number of elements.
var llen = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "llen", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of elements of a list",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>"},
}, &Kind, structure.TellLive)
