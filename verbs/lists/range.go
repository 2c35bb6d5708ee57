package lists

import (
	"iter"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// lrange answers with the elements from one place to another.
var lrange = verbs.Verb{
	Verb:  protocol.Verb{Name: "lrange", Usage: "<key> [<start> <stop>]", Read: readRange},
	Does:  "answers with the elements of a list from one place to another, both included; -1 is the last",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>[/<start>/<stop>]", Times: 2},
	Run:   onLists(listCall.lrange),
}

func (c listCall) lrange() {
	s := c.LoadOne(c.Key, structure.Listed)
	if s.Reply.Status == verbs.Missing {
		c.End()
		return
	}
	list := c.readList(s)
	if list == nil {
		return
	}
	c.Item = s.Reply.Item()
	from, to := c.span(list.Live())
	size := list.size(&c.Pace, from, to)
	if c.TooLong(size) {
		return
	}
	c.value(&c.Pace, size, list.values(&c.Pace, from, to))
	c.End()
	c.AfterRead(c.Compaction(nil, s))
}

// value appends elements to the answer, separated by spaces; size is their length in bytes, with
// the spaces.
func (c listCall) value(p *verbs.Pace, size int, elements iter.Seq[[]byte]) {
	c.BeginValue(p, c.Key, size)
	begun := len(c.Answer)
	for value := range elements {
		if len(c.Answer) > begun {
			c.Answer = append(c.Answer, ' ')
		}
		c.Answer = append(c.Answer, value...)
	}
	c.Answer = append(c.Answer, "\r\n"...)
}

// span returns the places that the request's start and stop mean in a list of n elements: all
// places if the request has none.
func (c listCall) span(n int) (from, to int) {
	word, rest := protocol.NextWord(c.Words)
	if len(word) == 0 {
		return 0, n
	}
	start, _ := protocol.ParseInt(word)
	word, _ = protocol.NextWord(rest)
	stop, _ := protocol.ParseInt(word)
	return span(start, stop, n)
}

// span returns the places that start and stop mean in a list of n elements, as the first of
// them and the one after the last. Negative ones count from the end; places outside of the list are
// cut off.
func span(start, stop int64, n int) (from, to int) {
	if start < 0 {
		start = max(start+int64(n), 0)
	}
	if stop < 0 {
		stop += int64(n)
	}
	from, to = int(min(start, int64(n))), int(min(stop, int64(n)-1))+1
	return from, max(to, from)
}

// llen answers with the number of elements.
var llen = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "llen", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of elements of a list",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>"},
}, &Kind, structure.TellLive)

// size returns the length of the elements from place from up to place to, with a space
// between each two.
func (l *List) size(p *verbs.Pace, from, to int) int {
	if from == 0 && to == l.Live() {
		return l.length + max(to-1, 0)
	}
	return length(l.values(p, from, to))
}

// length returns the length of elements, with a space between each two.
func length(elements iter.Seq[[]byte]) int {
	size := 0
	for value := range elements {
		size += len(value) + len(" ")
	}
	return max(size-len(" "), 0)
}
