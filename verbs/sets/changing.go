package sets

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// These verbs append a token for each member without reading.

// These add members, or remove them.
var (
	sadd = ofMembers("sadd", "adds members to a set, without reading it", true, '+')
	srem = ofMembers("srem", "removes members from a set, without reading it", false, '-')
)

// ofMembers returns a verb that appends a token with a sign for each member. create says whether it creates the set.
func ofMembers(name, does string, create bool, sign byte) verbs.Verb {
	return structure.Appends(verbs.Verb{
		Verb:   protocol.Verb{Name: name, Usage: "<key> <member>+ [noreply]", Read: verbs.ReadMembersQuietly, List: true},
		Does:   does,
		Tokens: tokensSize,
		Carry:  carriedBySet,
	}, &Kind, create, encoded(sign))
}

// schange adds and removes members, all in one append, in the order of the line.
var schange = adding(verbs.Verb{
	Verb:   protocol.Verb{Name: "schange", Usage: "<key> (+<member>|-<member>)+ [noreply]", Read: readSigned, List: true},
	Does:   "adds members to a set and removes others in one change, without reading it",
	Tokens: tokensSize,
	Carry:  carriedBySet,
})

// saddp adds members until a time.
var saddp = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "saddp", Usage: "<key> <member>+ <seconds> [noreply]", Read: readLasting, List: true},
	Does:   "adds members to a set for so many seconds, without reading it",
	Tokens: lastingTokensSize, Multiplies: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<set>/<seconds>", Words: 1, ValueFirst: true},
}, &Kind, true, encodedUntil)

var carriedBySet = &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<set>"}

// adding returns v completed as a verb whose words are tokens. It creates the set if it adds a member.
func adding(v verbs.Verb) verbs.Verb {
	adds, removes := structure.Appends(v, &Kind, true, asTokens), structure.Appends(v, &Kind, false, asTokens)
	v.Run = func(c *verbs.Call) verbs.Step {
		if addsAny(c.Words) {
			return adds.Run(c)
		}
		return removes.Run(c)
	}
	return v
}

// addsAny reports whether any of the words adds a member.
func addsAny(words []byte) bool {
	for word := range protocol.Words(words) {
		if word[0] == '+' {
			return true
		}
	}
	return false
}

// encoded returns a function that encodes the members in the request as tokens with the
// given sign.
func encoded(sign byte) func(*verbs.Call) []byte {
	return func(c *verbs.Call) []byte {
		c.GrowBuf(tokensSize)
		c.EachWord(c.Words, func(member []byte) { c.Buf = appendToken(c.Buf, sign, member) })
		return c.Buf
	}
}

// asTokens returns the words in the request as tokens.
func asTokens(c *verbs.Call) []byte {
	c.GrowBuf(tokensSize)
	c.EachWord(c.Words, func(word []byte) { c.Buf = append(append(c.Buf, word...), ' ') })
	return c.Buf
}

// encodedUntil encodes the members in the request as tokens with an until, so many seconds after the call
// has begun.
func encodedUntil(c *verbs.Call) []byte {
	c.GrowBuf(lastingTokensSize)
	members, word := protocol.CutLastWord(c.Words)
	seconds, _ := protocol.ParseInt(word)
	until := format.Until(c.Noted(), seconds)
	c.EachWord(members, func(member []byte) {
		c.Buf = append(strconv.AppendInt(append(c.Buf, signUntil), until, 10), ':')
		c.Buf = append(append(c.Buf, member...), ' ')
	})
	return c.Buf
}

// tokensSize returns the greatest length of the tokens for words, in bytes: a member has at least
// one byte, and its token adds a sign and a space.
func tokensSize(words, _ []byte) int { return len(words) + len(words)/2 + len("+m ") }

// lastingTokensSize is tokensSize for tokens with an until.
func lastingTokensSize(words, _ []byte) int {
	return len(words) + (len(words)/2+1)*(len("~: ")+longestUntil)
}
