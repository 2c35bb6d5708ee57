package verbs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// srandmember answers with some members at random.
var srandmember = Verb{
	Verb:  protocol.Verb{Name: "srandmember", Usage: "<key> [<count>]", Read: readCount},
	Reads: true, ReadOnly: true,
	run: onSets(setCall.srandmember),
}

func (c setCall) srandmember() {
	s := c.loadOne(c.key, sampled)
	if s.reply.Status == Missing {
		c.end()
		return
	}
	set := c.readSet(s)
	if set == nil {
		return
	}
	later := c.compaction(nil, s)
	c.pick(&c.pace, set)
	c.end()
	c.afterRead(later)
}

// spop removes some members at random and answers with them. What is removed is
// removed only if the set is still what it was chosen from, so that nobody
// else is given the same.
var spop = Verb{
	Verb:  protocol.Verb{Name: "spop", Usage: "<key> [<count>]", Read: readCount},
	Reads: true,
	run:   onSets(setCall.spop),
}

// picksTogether is how many members a spop may ask for to be decided along with others.
const picksTogether = 16

func (c setCall) spop() {
	r := c.decide(c.wanted() > picksTogether, c.pick)
	switch r.Status {
	case Stored:
		c.end()
	case Missing:
		c.answer = c.answer[:0]
		c.end()
	default:
		c.fail(r)
	}
	if r.Grown > 0 {
		c.tidy(c.key, r.Grown, r.Size)
	}
}

// wanted returns how many members the request asks for.
func (c setCall) wanted() int {
	count := uint64(1)
	if word, _ := protocol.NextWord(c.words); len(word) > 0 {
		count, _ = protocol.ParseUint(word)
	}
	return int(min(count, math.MaxInt32))
}

// pick answers, but for the end, with as many members of a set as the request asks for,
// and returns the tokens that remove them.
func (c setCall) pick(p *pace, fold Fold) []byte {
	set := fold.(*Set)
	picked := set.sample(p, c.wanted(), c.random)
	size := max(len(picked)-1, 0)
	set.eachPicked(p, picked, func(member []byte) { size += len(member) })
	c.answer = grow(p, c.answer[:0], size+len(c.key)+len("VALUE  0 33554432\r\n\r\nEND\r\n"))
	c.beginValue(c.key, size)
	begun := len(c.answer)
	set.eachPicked(p, picked, func(member []byte) {
		if len(c.answer) > begun {
			c.answer = append(c.answer, ' ')
		}
		c.answer = append(c.answer, member...)
	})
	c.answer = append(c.answer, "\r\n"...)
	c.buf = grow(p, c.buf[:0], size+2*len(picked)+1)
	set.eachPicked(p, picked, func(member []byte) { c.buf = appendToken(c.buf, '-', member) })
	return c.buf
}

// eachPicked calls do for the members of some tokens.
func (s *Set) eachPicked(p *pace, picked []uint32, do func(member []byte)) {
	p.each(len(picked), func(from, to int) {
		for _, i := range picked[from:to] {
			do(s.tokens[i].member(s.log))
		}
	})
}
