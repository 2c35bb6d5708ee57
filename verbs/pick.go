package verbs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// srandmember answers with some members at random.
var srandmember = Verb{
	Verb:  protocol.Verb{Name: "srandmember", Usage: "<key> [<count>]", Read: readCount},
	Reads: true, ReadOnly: true,
	run: (*Call).srandmember,
}

func (c *Call) srandmember() {
	s := c.loadOne(c.key, sampled)
	if s.reply.Status == Missing {
		c.end()
		return
	}
	if !c.read(s) {
		return
	}
	later := c.compaction(nil, s)
	c.pick()
	c.end()
	c.compact(later)
}

// spop removes some members at random and answers with them. What is removed is
// removed only if the set is still what it was chosen from, so that nobody
// else is given the same.
var spop = Verb{
	Verb:  protocol.Verb{Name: "spop", Usage: "<key> [<count>]", Read: readCount},
	Reads: true,
	run:   (*Call).spop,
}

func (c *Call) spop() {
	s := c.loadOne(c.key, sampled)
	for range commitTries {
		if s.reply.Status == Missing {
			c.end()
			return
		}
		if !c.read(s) {
			return
		}
		if c.pick() == 0 {
			c.end()
			return
		}
		switch r := c.removeIf(s.reply, c.buf); r.Status {
		case Stored:
			c.end()
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

// removeIf appends tokens, if the head is still the one that r read.
func (c *Call) removeIf(r Reply, tokens []byte) Reply {
	switch {
	case r.CAS == 0:
		return unswappable(c.key)
	case !Appended(c.env, c.key, len(tokens)):
		return c.insertInto(r, tokens)
	}
	return c.ask(Op{Kind: AppendIf, Key: c.key, Data: tokens, CAS: r.CAS, Epoch: r.Epoch})
}

// pick adds to the answer, without its end, as many members of the set that was
// read last as the request asks for, and puts the tokens that remove them into
// the call's buf. It returns how many they are.
func (c *Call) pick() int {
	count := uint64(1)
	if word, _ := protocol.NextWord(c.words); len(word) > 0 {
		count, _ = protocol.ParseUint(word)
	}
	picked := c.set.sample(int(min(count, math.MaxInt32)), c.random)
	size := max(len(picked)-1, 0)
	c.eachPicked(picked, func(member []byte) { size += len(member) })
	c.answer = grow(&c.pace, c.answer, size+len(c.key)+len("VALUE  0 33554432\r\n\r\nEND\r\n"))
	c.beginValue(c.key, size)
	begun := len(c.answer)
	c.eachPicked(picked, func(member []byte) {
		if len(c.answer) > begun {
			c.answer = append(c.answer, ' ')
		}
		c.answer = append(c.answer, member...)
	})
	c.answer = append(c.answer, "\r\n"...)
	c.buf = grow(&c.pace, c.buf[:0], size+2*len(picked)+1)
	c.eachPicked(picked, func(member []byte) { c.buf = appendToken(c.buf, '-', member) })
	return len(picked)
}

// eachPicked calls do for the members of some tokens.
func (c *Call) eachPicked(picked []uint32, do func(member []byte)) {
	c.pace.each(len(picked), func(from, to int) {
		for _, i := range picked[from:to] {
			do(c.set.tokens[i].member(c.set.log))
		}
	})
}
