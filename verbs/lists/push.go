package lists

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// rpush adds elements at the right end: a token each, appended without reading.
var rpush = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "rpush", Usage: "<key> <value>+ [noreply]", Read: readPush, List: true},
	Does:   "adds values at the right end of a list, without reading it",
	Tokens: tokensSize,
	Carry:  &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>"},
}, &Kind, true, pushes(pushRight))

// lpush adds elements at the left end, one after another, so that the last of them becomes
// the first of the list: a token each, appended without reading.
var lpush = structure.Appends(verbs.Verb{
	Verb:   protocol.Verb{Name: "lpush", Usage: "<key> <value>+ [noreply]", Read: readPush, List: true},
	Does:   "adds values at the left end of a list, one after another, without reading it",
	Tokens: tokensSize,
	Carry:  &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>"},
}, &Kind, true, pushes(pushLeft))

// pushes returns a function that encodes the values in the request as pushes with the given
// sign.
func pushes(sign byte) func(*verbs.Call) []byte {
	return func(c *verbs.Call) []byte {
		if len(c.Words) > verbs.FreeArguments {
			c.Buf = slices.Grow(c.Buf, tokensSize(c.Words))
		}
		c.EachWord(c.Words, func(value []byte) { c.Buf = appendToken(c.Buf, sign, value) })
		return c.Buf
	}
}

// lrem removes the first, the last, or all elements with a value: a token for each of the
// first or last, or one for all, appended without reading.
var lrem = structure.Appends(verbs.Verb{
	Verb: protocol.Verb{Name: "lrem", Usage: "<key> <count> <value> [noreply]", Read: readRemoval},
	Does: "removes the first <count> elements with a value, the last ones if <count> is negative, all if it is 0",
	Tokens: func(words []byte) int {
		_, count, value := removal(words)
		return count * (len(value) + len("l( "))
	},
	Multiplies: true,
	Carry:      &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>/<count>", Words: 1},
}, &Kind, false, removals)

// removals encodes the request of an lrem.
func removals(c *verbs.Call) []byte {
	sign, count, value := removal(c.Words)
	c.Buf = slices.Grow(c.Buf, count*(len(value)+len("l( ")))
	for range count {
		c.Buf = appendToken(c.Buf, sign, value)
	}
	return c.Buf
}

// removal parses the words of an lrem: it returns the sign and the value of its tokens, and how
// many these are.
func removal(words []byte) (sign byte, count int, value []byte) {
	word, rest := protocol.NextWord(words)
	value, _ = protocol.NextWord(rest)
	switch n, _ := protocol.ParseInt(word); {
	case n == 0:
		return removeAll, 1, value
	case n < 0:
		return removeLast, int(-n), value
	default:
		return removeFirst, int(n), value
	}
}
