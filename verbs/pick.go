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
	c.pick(set)
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

func (c setCall) spop() {
	s := c.loadOne(c.key, sampled)
	for range commitTries {
		if s.reply.Status == Missing {
			c.end()
			return
		}
		set := c.readSet(s)
		if set == nil {
			return
		}
		if c.pick(set) == 0 {
			c.end()
			return
		}
		views := c.unprobed()
		switch r := c.appendIf(s, c.buf); r.Status {
		case Stored:
			c.end()
			c.probeAll(views)
			c.tidy(c.key, len(c.buf), r.Size)
			return
		case Exists:
			c.answer = c.answer[:0]
			c.reload(sampled)
		case NotStored, Missing:
			c.answer = c.answer[:0]
			if r := c.settle(c.key, min(c.headLimit(c.key), surelyTaken)); r.Status == Failed {
				c.fail(r)
				return
			}
			s = c.loadOne(c.key, sampled)
		default:
			c.fail(r)
			return
		}
	}
	c.fail(contended(c.key))
}

// pick adds to the answer, without its end, as many members of the set as the request
// asks for, and puts the tokens that remove them into
// the call's buf. It returns how many they are.
func (c setCall) pick(set *Set) int {
	count := uint64(1)
	if word, _ := protocol.NextWord(c.words); len(word) > 0 {
		count, _ = protocol.ParseUint(word)
	}
	picked := set.sample(&c.pace, int(min(count, math.MaxInt32)), c.random)
	size := max(len(picked)-1, 0)
	c.eachPicked(set, picked, func(member []byte) { size += len(member) })
	c.answer = grow(&c.pace, c.answer, size+len(c.key)+len("VALUE  0 33554432\r\n\r\nEND\r\n"))
	c.beginValue(c.key, size)
	begun := len(c.answer)
	c.eachPicked(set, picked, func(member []byte) {
		if len(c.answer) > begun {
			c.answer = append(c.answer, ' ')
		}
		c.answer = append(c.answer, member...)
	})
	c.answer = append(c.answer, "\r\n"...)
	c.buf = grow(&c.pace, c.buf[:0], size+2*len(picked)+1)
	c.eachPicked(set, picked, func(member []byte) { c.buf = appendToken(c.buf, '-', member) })
	return len(picked)
}

// eachPicked calls do for the members of some tokens.
func (c setCall) eachPicked(set *Set, picked []uint32, do func(member []byte)) {
	c.pace.each(len(picked), func(from, to int) {
		for _, i := range picked[from:to] {
			do(set.tokens[i].member(set.log))
		}
	})
}
