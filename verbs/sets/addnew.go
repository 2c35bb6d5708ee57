package sets

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// saddnew adds the members that are not in the set, and answers with how many these are. It appends
// their tokens only if the set has not changed since it was read, so each counts for one caller.
var saddnew = verbs.Verb{
	Verb:  protocol.Verb{Name: "saddnew", Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
	Does:  "adds members to a set and answers with how many were not there",
	Reads: true, Ordered: true,
	Carry: &verbs.Carry{By: protocol.Add, Value: verbs.WordsValue, Shape: "<set>", Single: true},
	Run: structure.Deciding{
		Kind:   &Kind,
		Choose: func(e *structure.Engine) func(*verbs.Pace, format.Fold) structure.Choice { return setCall{e}.chooseNew },
		Adds:   func(e *structure.Engine) int { return len(e.Words) },
		Answer: (*structure.Engine).LineDecided,
	}.Run(),
}

// chooseNew returns the tokens that add those members in the request that the set does not have, and
// writes the answer, without its line end.
func (c setCall) chooseNew(p *verbs.Pace, fold format.Fold) structure.Choice {
	set := fold.(*Set)
	n, words := protocol.CountWords(c.Words), c.Words
	added, seen := 0, map[string]bool(nil)
	if n > 1 {
		seen = map[string]bool{}
	}
	c.Buf = c.Buf[:0]
	set.paceFor(p).EachLookup(n, func(from, to int) {
		for range to - from {
			var member []byte
			if member, words = protocol.NextWord(words); set.Has(member) || seen[string(member)] {
				continue
			}
			if added++; n > 1 {
				seen[string(member)] = true
			}
			c.Buf = appendToken(c.Buf, '+', member)
		}
	})
	c.Answer = strconv.AppendInt(c.Answer[:0], int64(added), 10)
	return structure.Choice{Tokens: c.Buf}
}
