package lists

import (
	"iter"
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// Elements are answered as one value of words if all of them are words; if any has data, as a value for each element, with
// its flags and its place.

// tell appends the elements whose tokens have the given indexes to the answer. The first of them is at place first. one
// says that the request asks for one element at most.
func (c listCall) tell(p *verbs.Pace, list *List, places []uint32, first int, one bool) {
	rests := list.restsIn(p)
	size, data := list.sizeAt(rests, places)
	if !data {
		c.BeginValue(p, c.Key, size+max(len(places)-1, 0))
		for n, i := range places {
			if rests.Rest(1); n > 0 {
				c.Answer = append(c.Answer, ' ')
			}
			c.Answer = append(c.Answer, list.tokens[i].value(list.log)...)
		}
		c.Answer = append(c.Answer, "\r\n"...)
		return
	}
	c.Answer = verbs.Grow(p, c.Answer, len(verbs.ListBegins)+c.linesSize(size, len(places))+len("END\r\n"))
	for n, i := range places {
		e := list.tokens[i].element(list.log)
		rests.Rest(1 + len(e.text)/verbs.TypicalToken)
		c.tellElement(e, first+n, c.Listed && !one)
	}
}

// sizeAt returns the length of the words and data of elements, in bytes, and whether any has data.
func (l *List) sizeAt(rests *verbs.Pace, places []uint32) (size int, data bool) {
	for _, i := range places {
		rests.Rest(1)
		e := l.tokens[i].element(l.log)
		size += e.size()
		data = data || e.data
	}
	return size, data
}

// linesSize returns the greatest length of an answer with n elements of so many bytes, each with a line of its own.
func (c listCall) linesSize(size, n int) int {
	return size + n*(len("VALUE  4294967295 33554432 1073741824\r\n\r\n")+len(c.Prefix)+len(c.Key))
}

// restsIn returns p if work on many elements has to be divided, else nil.
func (l *List) restsIn(p *verbs.Pace) *verbs.Pace { return p.ForLog(len(l.log)) }

// tellWords appends words to the answer as one value, separated by spaces. size is its length in bytes.
func (c listCall) tellWords(p *verbs.Pace, size int, words iter.Seq[element]) {
	c.BeginValue(p, c.Key, size)
	for e := range words {
		c.Space()
		c.Answer = append(c.Answer, e.text...)
	}
	c.Answer = append(c.Answer, "\r\n"...)
}

// tellElement appends an element to the answer as a value of its own or, if listed is set, to the list that is the value,
// see [verbs.Call.AppendItem].
func (c listCall) tellElement(e element, place int, listed bool) {
	flags, text := e.content()
	end := "\r\n"
	if listed {
		end = c.BeginList()
		c.Answer = strconv.AppendInt(c.Answer, int64(place), 10)
	} else {
		c.Answer = append(append(append(c.Answer, "VALUE "...), c.Prefix...), c.Env.ClientKey(c.Key)...)
	}
	c.Answer = strconv.AppendUint(append(c.Answer, ' '), uint64(flags), 10)
	c.Answer = strconv.AppendInt(append(c.Answer, ' '), int64(e.size()), 10)
	if !listed {
		c.Answer = strconv.AppendInt(append(c.Answer, ' '), int64(place), 10)
	}
	c.Answer = append(c.Answer, end...)
	if e.data {
		c.Answer = appendUnescaped(c.Answer, text)
	} else {
		c.Answer = append(c.Answer, text...)
	}
	c.Answer = append(c.Answer, end...)
}
