package sets

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// setCall is a call of a verb on sets.
type setCall struct{ *structure.Engine }

// onSets converts a function of a setCall to one of a Call, for [verbs.Verb].
func onSets(run func(c setCall)) func(*verbs.Call) verbs.Step {
	return verbs.Coroutine(func(c *verbs.Call) { run(setCall{structure.EngineOf(c, &Kind)}) })
}

// setsAtOnce is how many sets smembers loads at once, to bound the memory in use.
const setsAtOnce = 16

// smembers answers with the members of each set.
var smembers = verbs.Verb{
	Verb: protocol.Verb{Name: "smembers", Usage: "<key>+", Read: keyList(1), List: true},
	Does: "answers with the members of each set",
	Keys: true, Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>"},
	Run:   onSets(setCall.smembers),
}

func (c setCall) smembers() {
	var later []structure.Compaction
	for list := c.Words; len(list) > 0; {
		if list = c.listKeys(list, setsAtOnce); len(c.List) == 0 {
			break
		}
		c.Load(c.List, structure.Listed)
		for i := range c.List {
			s := &c.List[i]
			if s.Reply.Status == verbs.Missing {
				continue
			}
			if set, _ := c.FoldOf(s).(*Set); set == nil || !c.members(s, set) {
				return
			}
			later = c.Compaction(later, s)
		}
	}
	c.End()
	c.AfterRead(later)
}

// listKeys sets the call's List to the first most keys, and returns the other keys.
func (c setCall) listKeys(keys []byte, most int) (rest []byte) {
	c.List = c.List[:0]
	for len(c.List) < most {
		var key []byte
		if key, keys = protocol.NextWord(keys); len(key) == 0 {
			break
		}
		c.List = append(c.List, structure.ToLoad(key))
	}
	return keys
}

// members appends a set to the answer. It returns false if it has answered with an
// error instead.
func (c setCall) members(s *structure.Loaded, set *Set) bool {
	if c.Item = s.Reply.Item(); len(c.Answer) > 0 {
		c.Item = verbs.Item{TTL: -1}
	}
	return c.valueOfSet(s.Key, set)
}

// valueOfSet appends the members of a set to the answer. It returns false if it has
// answered with an error instead.
func (c setCall) valueOfSet(key []byte, set *Set) bool {
	size := set.Length()
	if c.TooLong(size) {
		return false
	}
	c.BeginValue(&c.Pace, key, size)
	c.Answer = set.AppendMembers(&c.Pace, c.Answer)
	c.Answer = append(c.Answer, "\r\n"...)
	return true
}

// sismember answers with 1 or 0 for each member in the request.
var sismember = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "sismember", Usage: "<key> <member>+", Read: verbs.ReadMembers, List: true},
	Does:  "says whether a set has each of the members",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>/<member>", Words: 1},
}, &Kind, func(c *verbs.Call, set format.Fold) {
	c.EachWordLookup(c.Words, set.Live()+set.Dead(), func(member []byte) {
		c.Space()
		if set.(*Set).Has(member) {
			c.Answer = append(c.Answer, '1')
		} else {
			c.Answer = append(c.Answer, '0')
		}
	})
})

// scard answers with the number of members.
var scard = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "scard", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of members of a set",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>"},
}, &Kind, structure.TellLive)

// scompact compacts a set now, dirty or not.
var scompact = verbs.Verb{
	Verb:  protocol.Verb{Name: "scompact", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "compacts the log of a set, list, ranking or queue now",
	Reads: true,
	Run:   onSets(func(c setCall) { c.SayOutcome(c.Compact(c.Key), "OK", "NOT_FOUND") }),
}
