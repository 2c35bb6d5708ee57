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
			c.Buf = slices.Grow(c.Buf, tokensSize(c.Words, nil))
		}
		c.EachWord(c.Words, func(value []byte) { c.Buf = appendToken(c.Buf, sign, value) })
		return c.Buf
	}
}

// rput adds an element with data at the right end: a token, appended without reading.
var rput = puts(verbs.Verb{
	Verb: protocol.Verb{Name: "rput", Usage: "<key> <flags> <bytes> [noreply]", Read: readPut, Block: true},
	Does: "adds an element with data at the right end of a list, without reading it",
}, pushRight)

// lput adds an element with data at the left end, likewise.
var lput = puts(verbs.Verb{
	Verb: protocol.Verb{Name: "lput", Usage: "<key> <flags> <bytes> [noreply]", Read: readPut, Block: true},
	Does: "adds an element with data at the left end of a list, without reading it",
}, pushLeft)

// errTooLarge refuses data of which a list could hold only a few.
const errTooLarge = "SERVER_ERROR object too large for a list; put it in an item, a row or a task"

// puts returns v completed as a verb that pushes an element with data by a token of the given sign.
func puts(v verbs.Verb, sign byte) verbs.Verb {
	v.Carry = &verbs.Carry{By: protocol.Set, Value: verbs.DataValue, Shape: "<list>"}
	v.Tokens = func(_, data []byte) int { return dataSize(len(data)) }
	v = structure.Appends(v, &Kind, true, func(c *verbs.Call) []byte {
		c.Buf = slices.Grow(c.Buf, dataSize(len(c.Data)))
		c.Buf = appendData(c.Buf, sign, c.Env, c.Flags, c.Data)
		return c.Buf
	})
	run := v.Run
	v.Run = func(c *verbs.Call) (done verbs.Step) {
		if len(c.Data) > max(c.Env.Options().StructureItemSize/dataShare, protocol.MaxKey) {
			c.Say(errTooLarge)
			return done
		}
		return run(c)
	}
	return v
}

// dataShare limits the data of an element, in bytes, to the greatest length of a head divided by dataShare. In any case it
// may be as long as a word.
const dataShare = 4

// lrem removes the first, the last, or all elements with a value: a token for each of the
// first or last, or one for all, appended without reading.
var lrem = structure.Appends(verbs.Verb{
	Verb: protocol.Verb{Name: "lrem", Usage: "<key> <count> <value> [noreply]", Read: readRemoval},
	Does: "removes the first <count> elements with a value, the last ones if <count> is negative, all if it is 0",
	Tokens: func(words, _ []byte) int {
		_, count, value := removal(words)
		return count * (len(value) + len("l( "))
	},
	Multiplies: true, Shrinks: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>/<count>", Words: 1},
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
