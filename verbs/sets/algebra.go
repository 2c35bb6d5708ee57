package sets

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// maxOperands is how many sets sinter, sunion and sdiff read, all at once.
const maxOperands = 64

var tooManySets = fmt.Sprintf("CLIENT_ERROR too many keys: at most %d sets at once", maxOperands)

// sinter answers with the members of the first set that are in all others.
var sinter = combination("sinter", "answers with the members that are in all of the sets", func(c setCall, set *Set, log []byte) []byte { return c.keepMembers(set, log) })

// sunion answers with the members of all sets, in the order of their first appearance.
var sunion = combination("sunion", "answers with the members of any of the sets", func(c setCall, set *Set, log []byte) []byte { return set.appendAdditions(&c.Pace, log) })

// sdiff answers with the members of the first set that are in no other.
var sdiff = combination("sdiff", "answers with the members of the first set that no other has", func(c setCall, set *Set, log []byte) []byte { return set.appendRemovals(&c.Pace, log) })

// combination returns a verb that combines sets into one. The combined log starts as
// the log of the first set; with returns the new log for each further set.
func combination(name, does string, with func(c setCall, set *Set, log []byte) []byte) verbs.Verb {
	return verbs.Verb{
		Verb: protocol.Verb{Name: name, Usage: "<key> <key>+", Read: keyList(2), List: true},
		Does: does,
		Keys: true, Reads: true, ReadOnly: true, Whole: true,
		Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>/<set>[/<set>...]", Words: 1, Split: true},
		Run:   onSets(func(c setCall) { c.combine(with) }),
	}
}

// combine carries out a combination. A set that does not exist is empty.
func (c setCall) combine(with func(c setCall, set *Set, log []byte) []byte) {
	if rest := c.listKeys(c.Words, maxOperands); len(rest) > 0 {
		c.Say(tooManySets)
		return
	}
	c.Load(c.List, structure.Combined)
	var log []byte
	var later []structure.Compaction
	for i := range c.List {
		s := &c.List[i]
		set := &Set{}
		if s.Reply.Status != verbs.Missing {
			if set, _ = c.FoldOf(s).(*Set); set == nil {
				return
			}
			later = c.Compaction(later, s)
		}
		if i == 0 {
			log = set.appendAdditions(&c.Pace, nil)
		} else {
			log = with(c, set, log)
		}
		s.Forget()
	}
	c.FreeLogs()
	if c.valueOfSet(c.Key, c.FoldLog(c.Kind, log, format.CountTokens(&c.Pace, log)).(*Set)) {
		c.End()
		c.AfterRead(later)
	}
}

// keepMembers returns the tokens of log, which are all additions, whose members are in
// set.
func (c setCall) keepMembers(set *Set, log []byte) []byte {
	kept := log[:0]
	c.EachWordLookup(log, len(set.tokens), func(token []byte) {
		if set.Has(token[1:]) {
			kept = append(append(kept, token...), ' ')
		}
	})
	return kept
}
