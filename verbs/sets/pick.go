package sets

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// srandmember answers with random members.
var srandmember = verbs.Verb{
	Verb:  protocol.Verb{Name: "srandmember", Usage: "<key> [<count>]", Read: readCount},
	Does:  "answers with random members of a set",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>[/<count>]", Times: 1},
	Run:   onSets(setCall.srandmember),
}

func (c setCall) srandmember() {
	s := c.LoadOne(c.Key, structure.Sampled)
	set, _ := c.FoldOrEnd(s).(*Set)
	if set == nil {
		return
	}
	later := c.Compaction(nil, s)
	p := set.paceFor(&c.Pace)
	c.answerWith(p, set, set.sample(p, c.Wanted(), c.Random))
	c.End()
	c.AfterRead(later)
}

// spop removes random members and answers with them. It removes them only if the set
// has not changed since they were chosen, so no two callers get the same member.
var spop = verbs.Verb{
	Verb:  protocol.Verb{Name: "spop", Usage: "<key> [<count>]", Read: readCount},
	Does:  "removes random members from a set and answers with them",
	Reads: true, Ordered: true, Removes: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>[/<count>]", Times: 1},
	Run: structure.Deciding{
		Kind:   &Kind,
		Choose: func(e *structure.Engine) func(*verbs.Pace, format.Fold) structure.Choice { return setCall{e}.pick },
		Brief:  fewTokens,
		Alone:  func(e *structure.Engine) bool { return e.Wanted() > picksTogether },
		Answer: (*structure.Engine).EndDecided,
	}.Run(),
}

// picksTogether is how many members a spop may remove if it is decided together with others.
const picksTogether = 16

// fewTokens reports whether choosing among the members takes no more than a slice.
func fewTokens(e *structure.Engine, fold format.Fold) bool {
	return len(fold.(*Set).tokens) <= e.Pace.Slice
}

// pick chooses as many random members as the request asks for, and writes the answer with them,
// without its END. It returns the tokens that remove them.
func (c setCall) pick(p *verbs.Pace, fold format.Fold) structure.Choice {
	set := fold.(*Set)
	p = set.paceFor(p)
	picked := set.sample(p, c.Wanted(), c.Random)
	size := c.answerWith(p, set, picked)
	c.Buf = verbs.Grow(p, c.Buf[:0], size+2*len(picked)+1)
	set.eachPicked(p, picked, func(member []byte) { c.Buf = appendToken(c.Buf, '-', member) })
	return structure.Choice{Tokens: c.Buf, Empties: len(picked) == set.Live() && set.Since() == 0} // what has expired here may not have for others
}

// answerWith writes the answer with the members of the tokens with the indexes picked, without its END.
// It returns how many bytes the members have.
func (c setCall) answerWith(p *verbs.Pace, set *Set, picked []uint32) (size int) {
	size = max(len(picked)-1, 0)
	set.eachPicked(p, picked, func(member []byte) { size += len(member) })
	c.Answer = c.Answer[:0]
	c.BeginValue(p, c.Key, size)
	set.eachPicked(p, picked, func(member []byte) {
		c.Space()
		c.Answer = append(c.Answer, member...)
	})
	c.Answer = append(c.Answer, "\r\n"...)
	return size
}

// paceFor returns p if work on many members has to be divided, else nil.
func (s *Set) paceFor(p *verbs.Pace) *verbs.Pace { return p.ForLog(len(s.log)) }

// eachPicked calls do for the members of the tokens with the indexes picked.
func (s *Set) eachPicked(p *verbs.Pace, picked []uint32, do func(member []byte)) {
	p.EachLookup(len(picked), func(from, to int) {
		for _, i := range picked[from:to] {
			do(s.tokens[i].member(s.log))
		}
	})
}
