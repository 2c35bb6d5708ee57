package verbs

import (
	"fmt"
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// maxOperands is how many sets sinter, sunion and sdiff read, all at once.
const maxOperands = 64

var tooManySets = fmt.Sprintf("CLIENT_ERROR too many keys: at most %d sets at once", maxOperands)

// sinter answers with the members of the first set that all others have too.
var sinter = combination("sinter", func(c *Call, log []byte) []byte { return c.keepMembers(log) })

// sunion answers with the members of all sets, each where it appears first.
var sunion = combination("sunion", func(c *Call, log []byte) []byte { return c.set.AppendLog(log) })

// sdiff answers with the members of the first set that no other has.
var sdiff = combination("sdiff", func(c *Call, log []byte) []byte { return c.set.appendRemovals(log) })

// combination returns a verb that answers with the set whose log with makes, one set
// after another, of that so far and the set that was read last.
func combination(name string, with func(c *Call, log []byte) []byte) Verb {
	return Verb{
		Verb: protocol.Verb{Name: name, Usage: "<key> <key>+", Read: keyList(2, math.MaxInt), List: true},
		Keys: true, Reads: true, ReadOnly: true,
		run: func(c *Call) { c.combine(func(log []byte) []byte { return with(c, log) }) },
	}
}

// combine carries out a combination. A set that does not exist is empty.
func (c *Call) combine(with func(log []byte) []byte) {
	if rest := c.listed(c.words, maxOperands); len(rest) > 0 {
		c.say(tooManySets)
		return
	}
	c.load(c.list, combined)
	var log []byte
	var later []Op
	for i := range c.list {
		s := &c.list[i]
		if s.reply.Status == Missing {
			c.set.Read(nil)
		} else if !c.read(s) {
			return
		}
		later = c.compaction(later, s)
		if i == 0 {
			log = c.set.AppendLog(nil)
		} else {
			log = with(log)
		}
		s.forget()
	}
	if cap(c.first)+cap(c.log) > keptScratch {
		c.first, c.log = nil, nil
	}
	c.fold(log, c.countTokens(log))
	if c.valueOfSet(c.key) {
		c.end()
		c.compact(later)
	}
}

// keepMembers leaves of a log, whose tokens are all additions, those of members
// of the set that was read last.
func (c *Call) keepMembers(log []byte) []byte {
	kept := log[:0]
	c.eachWord(log, func(token []byte) {
		if c.set.Has(token[1:]) {
			kept = append(append(kept, token...), ' ')
		}
	})
	return kept
}
