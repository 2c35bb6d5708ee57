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
var sinter = combination("sinter", func(c setCall, set *Set, log []byte) []byte { return c.keepMembers(set, log) })

// sunion answers with the members of all sets, each where it appears first.
var sunion = combination("sunion", func(c setCall, set *Set, log []byte) []byte { return set.AppendLog(&c.pace, log) })

// sdiff answers with the members of the first set that no other has.
var sdiff = combination("sdiff", func(c setCall, set *Set, log []byte) []byte { return set.appendRemovals(&c.pace, log) })

// combination returns a verb that answers with the set whose log with makes, one set
// after another, of that set and the log so far.
func combination(name string, with func(c setCall, set *Set, log []byte) []byte) Verb {
	return Verb{
		Verb: protocol.Verb{Name: name, Usage: "<key> <key>+", Read: keyList(2, math.MaxInt), List: true},
		Keys: true, Reads: true, ReadOnly: true,
		run: onSets(func(c setCall) { c.combine(with) }),
	}
}

// combine carries out a combination. A set that does not exist is empty.
func (c setCall) combine(with func(c setCall, set *Set, log []byte) []byte) {
	if rest := c.listKeys(c.words, maxOperands); len(rest) > 0 {
		c.say(tooManySets)
		return
	}
	c.load(c.list, combined)
	var log []byte
	var later []Op
	for i := range c.list {
		s := &c.list[i]
		set := &Set{}
		if s.reply.Status != Missing {
			if set = c.readSet(s); set == nil {
				return
			}
			later = c.compaction(later, s)
		}
		if i == 0 {
			log = set.AppendLog(&c.pace, nil)
		} else {
			log = with(c, set, log)
		}
		s.forget()
	}
	if cap(c.first)+cap(c.log) > keptScratch {
		c.first, c.log = nil, nil
	}
	if c.valueOfSet(c.key, c.foldLog(c.kind, log, c.countTokens(log)).(*Set)) {
		c.end()
		c.afterRead(later)
	}
}

// keepMembers leaves of a log, whose tokens are all additions, those of members
// of the set that was read last.
func (c setCall) keepMembers(set *Set, log []byte) []byte {
	kept := log[:0]
	c.eachWord(log, func(token []byte) {
		if set.Has(token[1:]) {
			kept = append(append(kept, token...), ' ')
		}
	})
	return kept
}
