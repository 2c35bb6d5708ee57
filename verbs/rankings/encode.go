package rankings

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// These verbs append a token for each member without reading. All but zrem create the ranking,
// and members that it does not have.

// These set scores, or add to them, by pairs of a number and a member.
var (
	zadd = ofPairs("zadd", "<score>", "sets scores of members of a ranking, without reading it", signSet, 1)
	zsub = ofPairs("zsub", "<n>", "subtracts from scores of members of a ranking, without reading it", signAdd, -1)
	zmax = ofPairs("zmax", "<score>", "sets scores of members of a ranking, unless they have greater ones, without reading it", signRaise, 1)
	zmin = ofPairs("zmin", "<score>", "sets scores of members of a ranking, unless they have smaller ones, without reading it", signLower, 1)
)

// ofPairs returns a verb that appends a token with a sign for each pair of a number and a member. The token has the number
// multiplied by factor.
func ofPairs(name, number, does string, sign byte, factor int64) verbs.Verb {
	return structure.Appends(verbs.Verb{
		Verb:   protocol.Verb{Name: name, Usage: "<key> (" + number + " <member>)+ [noreply]", Read: readPairs, List: true},
		Does:   does,
		Tokens: tokensSize,
		Carry:  carriedBySet,
	}, &Kind, true, encodePairs(sign, factor))
}

// These add 1 to scores, or -1.
var (
	zinc = ofMembers("zinc", "adds 1 to the score of each member, without reading the ranking", 1)
	zdec = ofMembers("zdec", "subtracts 1 from the score of each member, without reading the ranking", -1)
)

// ofMembers returns a verb that appends a token for each member, which adds n to its score.
func ofMembers(name, does string, n int64) verbs.Verb {
	return structure.Appends(verbs.Verb{
		Verb:   protocol.Verb{Name: name, Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
		Does:   does,
		Tokens: tokensSize,
		Carry:  carriedBySet,
	}, &Kind, true, encodeMembers(func(dst, member []byte) []byte { return appendToken(dst, signAdd, n, member) }))
}

// zrem removes members.
var zrem = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zrem", Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
	Does:   "removes members from a ranking, without reading it",
	Tokens: tokensSize,
	Carry:  &verbs.Carry{By: protocol.Delete, Shape: "<ranking>/<member>", Words: 1},
}, &Kind, false, encodeMembers(appendRemoval))

var carriedBySet = &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<ranking>"}

// encodePairs returns a function that encodes the numbers in the request, multiplied by factor, and
// the members.
func encodePairs(sign byte, factor int64) func(*verbs.Call) []byte {
	return func(c *verbs.Call) []byte {
		c.GrowBuf(tokensSize)
		n, first := int64(0), true
		c.EachWord(c.Words, func(word []byte) {
			if first {
				n, _ = protocol.ParseInt(word)
			} else {
				c.Buf = appendToken(c.Buf, sign, factor*n, word)
			}
			first = !first
		})
		return c.Buf
	}
}

// encodeMembers returns a function that encodes the members in the request by appendOne.
func encodeMembers(appendOne func(dst, member []byte) []byte) func(*verbs.Call) []byte {
	return func(c *verbs.Call) []byte {
		c.GrowBuf(tokensSize)
		c.EachWord(c.Words, func(member []byte) { c.Buf = appendOne(c.Buf, member) })
		return c.Buf
	}
}

// tokensSize returns the greatest length of the tokens for words, in bytes: a member of
// one byte, with the space before the next, becomes "z+-1:m ".
func tokensSize(words, _ []byte) int { return (len(words) + 1) / 2 * len("z+-1:m ") }
