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

// llen answers with the number of elements.
var llen = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "llen", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of elements of a list",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<list>"},
}, &Kind, structure.TellLive)
