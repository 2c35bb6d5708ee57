package rankings

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// These verbs append a token for each member without reading. All but zrem create the ranking,
// and members that it does not have.

// zadd sets scores.
var zadd = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zadd", Usage: "<key> (<score> <member>)+ [noreply]", Read: readPairs, List: true},
	Does:   "sets scores of members of a ranking, without reading it",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodePairs(signSet, 1))

// zsub subtracts from scores.
var zsub = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zsub", Usage: "<key> (<n> <member>)+ [noreply]", Read: readPairs, List: true},
	Does:   "subtracts from scores of members of a ranking, without reading it",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodePairs(signAdd, -1))

// zmax sets scores, unless they are greater.
var zmax = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zmax", Usage: "<key> (<score> <member>)+ [noreply]", Read: readPairs, List: true},
	Does:   "sets scores of members of a ranking, unless they have greater ones, without reading it",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodePairs(signRaise, 1))

// zmin sets scores, unless they are smaller.
var zmin = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zmin", Usage: "<key> (<score> <member>)+ [noreply]", Read: readPairs, List: true},
	Does:   "sets scores of members of a ranking, unless they have smaller ones, without reading it",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodePairs(signLower, 1))

// zinc adds 1 to scores.
var zinc = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zinc", Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
	Does:   "adds 1 to the score of each member, without reading the ranking",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodeMembers(func(dst, member []byte) []byte { return appendToken(dst, signAdd, 1, member) }))

// zdec subtracts 1 from scores.
var zdec = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "zdec", Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
	Does:   "subtracts 1 from the score of each member, without reading the ranking",
	Tokens: tokensSize,
	Carry:  carriedBySet,
}, &Kind, true, encodeMembers(func(dst, member []byte) []byte { return appendToken(dst, signAdd, -1, member) }))

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
	return encode(func(c *verbs.Call) {
		n, first := int64(0), true
		c.EachWord(c.Words, func(word []byte) {
			if first {
				n, _ = protocol.ParseInt(word)
			} else {
				c.Buf = appendToken(c.Buf, sign, factor*n, word)
			}
			first = !first
		})
	})
}

// encodeMembers returns a function that encodes the members in the request by appendOne.
func encodeMembers(appendOne func(dst, member []byte) []byte) func(*verbs.Call) []byte {
	return encode(func(c *verbs.Call) {
		c.EachWord(c.Words, func(member []byte) { c.Buf = appendOne(c.Buf, member) })
	})
}

// encode returns a function that encodes the words of the request by do, with memory for all
// tokens.
func encode(do func(*verbs.Call)) func(*verbs.Call) []byte {
	return func(c *verbs.Call) []byte {
		if len(c.Words) > verbs.FreeArguments {
			c.Buf = slices.Grow(c.Buf, tokensSize(c.Words, nil))
		}
		do(c)
		return c.Buf
	}
}

// tokensSize returns the greatest length of the tokens for words, in bytes: a member of
// one byte, with the space before the next, becomes "z+-1:m ".
func tokensSize(words, _ []byte) int { return (len(words) + 1) / 2 * len("z+-1:m ") }
