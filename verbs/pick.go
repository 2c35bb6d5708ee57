package verbs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// srandmember answers with some members at random.
func srandmember(c *Call) {
	s := c.loadOne(c.key)
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
func spop(c *Call) {
	s := c.loadOne(c.key)
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
			c.reload()
		case NotStored, Missing:
			c.answer = c.answer[:0]
			if r := c.settle(c.key, min(c.headLimit(c.key), surelyTaken)); r.Status == Failed {
				c.fail(r)
				return
			}
			s = c.loadOne(c.key)
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
	c.buf = c.buf[:0]
	for i, member := range picked {
		if i > 0 {
			c.buf = append(c.buf, ' ')
		}
		c.buf = append(c.buf, member...)
	}
	c.beginValue(c.key, len(c.buf))
	c.answer = append(append(c.answer, c.buf...), "\r\n"...)
	c.buf = c.buf[:0]
	for _, member := range picked {
		c.buf = appendToken(c.buf, '-', member)
	}
	return len(picked)
}
