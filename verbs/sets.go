package verbs

import (
	"math"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// setCall is a call that is about sets.
type setCall struct{ *engine }

// onSets returns what carries out a verb on sets.
func onSets(run func(c setCall)) func(*Call) {
	return func(c *Call) { run(setCall{engineOf(c, &setKind)}) }
}

// sadd adds members: a token each, appended without reading.
var sadd = Verb{
	Verb:   protocol.Verb{Name: "sadd", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &Carry{Value: WordsValue, Shape: "<set>"},
	direct: appendsTokens(AppendOrCreate, '+'),
	after:  tidiesUp,
	run:    onSets(func(c setCall) { c.change('+') }),
}

// srem removes members, in the same way.
var srem = Verb{
	Verb:   protocol.Verb{Name: "srem", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &Carry{Value: WordsValue, Shape: "<set>"},
	direct: appendsTokens(AppendSized, '-'),
	after:  tidiesUp,
	run:    onSets(func(c setCall) { c.change('-') }),
}

// appendsTokens returns what appends a token for each member named, if that is all.
func appendsTokens(kind OpKind, sign byte) func(*Call) (Op, bool) {
	return func(c *Call) (Op, bool) {
		s := setCall{engineOf(c, &setKind)}
		return s.direct(Op{Kind: kind, Key: c.key, Exptime: c.exptime, Data: s.tokens(sign)})
	}
}

// tidiesUp returns what there is to be done about a set that was appended to, nil if
// there is nothing.
func tidiesUp(c *Call) func(*Call) {
	if !engineOf(c, &setKind).untidy(c.grown, c.size, c.limit) {
		return nil
	}
	return func(c *Call) { engineOf(c, &setKind).tidyUp(c.key, c.size) }
}

// change appends a token for each member named. A set that it creates expires
// when the request says, which it does if an ordinary command carried it.
func (c setCall) change(sign byte) {
	tokens := c.tokens(sign)
	if !Appended(c.env, c.key, len(tokens)) {
		c.insert(tokens, sign == '+')
		return
	}
	for range maxTries {
		switch o, size := c.appendTo(c.key, tokens, sign == '+', c.exptime); o {
		case stored:
			c.say("STORED")
			c.tidy(c.key, c.grown, size)
			return
		case missing:
			c.say("NOT_FOUND")
			return
		case failed:
			return
		case full:
			limit := min(c.headLimit(c.key), max(size/2, surelyTaken))
			if r := c.settle(c.key, limit); r.Status == Failed {
				c.fail(r)
				return
			}
		}
	}
	c.fail(c.full(c.key, len(tokens)))
}

// tokens encodes the members named.
func (c setCall) tokens(sign byte) []byte {
	if len(c.words) > freeArguments {
		c.buf = slices.Grow(c.buf, tokensSize(len(c.words)))
	}
	c.eachWord(c.words, func(member []byte) { c.buf = appendToken(c.buf, sign, member) })
	return c.buf
}

// tokensSize returns how long the tokens are at most for words of so many bytes:
// a member has at least one letter, and a token a sign and a space more.
func tokensSize(words int) int { return words + words/2 + len("+m ") }

// eachWord calls do for each word of text, a slice at a time.
func (c setCall) eachWord(text []byte, do func(word []byte)) {
	for {
		for range max(c.pace.slice, 1) {
			var word []byte
			if word, text = protocol.NextWord(text); len(word) == 0 {
				return
			}
			do(word)
		}
		if word, _ := protocol.NextWord(text); len(word) > 0 {
			c.pace.pause()
		}
	}
}

// readSet folds the log of the set that was loaded. If there is none, it tells the
// client, who asked for it by key alone, and returns nil.
func (c setCall) readSet(s *structure) *Set {
	switch {
	case s.reply.Status == Missing:
		c.say("NOT_FOUND")
	case s.reply.Status != Hit:
		c.fail(s.reply)
	case c.read(s) == nil:
		c.fail(notOfKind(s.key, c.kind))
	default:
		return s.fold.(*Set)
	}
	return nil
}

// members are asked for this many sets at once, to bound the memory held.
const setsAtOnce = 16

// smembers answers with the members of each set.
var smembers = Verb{
	Verb: protocol.Verb{Name: "smembers", Usage: "<key>+", Read: keyList(1, math.MaxInt), List: true},
	Keys: true, Reads: true, ReadOnly: true, Whole: true,
	Carry: &Carry{Shape: "<set>"},
	run:   onSets(setCall.smembers),
}

func (c setCall) smembers() {
	var later []Op
	for list := c.words; len(list) > 0; {
		if list = c.listKeys(list, setsAtOnce); len(c.list) == 0 {
			break
		}
		c.load(c.list, listed)
		for i := range c.list {
			s := &c.list[i]
			if s.reply.Status == Missing {
				continue
			}
			if set := c.readSet(s); set == nil || !c.members(s, set) {
				return
			}
			later = c.compaction(later, s)
		}
	}
	c.end()
	c.afterRead(later)
}

// listKeys makes the call's list one of the first words of keys, and returns the
// others.
func (c setCall) listKeys(keys []byte, most int) (rest []byte) {
	c.list = c.list[:0]
	for len(c.list) < most {
		var key []byte
		if key, keys = protocol.NextWord(keys); len(key) == 0 {
			break
		}
		c.list = append(c.list, structure{key: key})
	}
	return keys
}

// members adds a set that was read to the answer. It returns false if it gave another
// answer.
func (c setCall) members(s *structure, set *Set) bool {
	if c.item = (Item{s.reply.CAS, s.reply.TTL}); len(c.answer) > 0 {
		c.item = Item{TTL: -1}
	}
	return c.valueOfSet(s.key, set)
}

// valueOfSet adds the members of a set to the answer. It returns false if it gave
// another answer.
func (c setCall) valueOfSet(key []byte, set *Set) bool {
	size := set.Length()
	if c.tooLong(size) {
		return false
	}
	c.answer = grow(&c.pace, c.answer, len("VALUE  0 33554432\r\n\r\nEND\r\n")+len(key)+size)
	c.beginValue(key, size)
	c.answer = set.AppendMembers(&c.pace, c.answer)
	c.answer = append(c.answer, "\r\n"...)
	return true
}

// beginValue adds what stands before a value of so many bytes to the answer.
func (c setCall) beginValue(key []byte, size int) {
	c.answer = append(append(c.answer, "VALUE "...), key...)
	c.answer = append(c.answer, " 0 "...)
	c.answer = strconv.AppendInt(c.answer, int64(size), 10)
	c.answer = append(c.answer, "\r\n"...)
}

// sismember answers with a 1 or 0 for each member named.
var sismember = Verb{
	Verb:  protocol.Verb{Name: "sismember", Usage: "<key> <member>+", Read: readMembers, List: true},
	Reads: true, ReadOnly: true,
	Carry: &Carry{Shape: "<set>/<member>", Words: 1},
	run:   onSets(setCall.sismember),
}

func (c setCall) sismember() {
	c.ofSet(func(set *Set) {
		c.eachWord(c.words, func(member []byte) {
			if len(c.answer) > 0 {
				c.answer = append(c.answer, ' ')
			}
			if set.Has(member) {
				c.answer = append(c.answer, '1')
			} else {
				c.answer = append(c.answer, '0')
			}
		})
	})
}

// scard answers with the number of members.
var scard = Verb{
	Verb:  protocol.Verb{Name: "scard", Usage: "<key>", Read: keyList(1, 1)},
	Reads: true, ReadOnly: true,
	Carry: &Carry{Shape: "<set>"},
	run: onSets(func(c setCall) {
		c.ofSet(func(set *Set) { c.answer = strconv.AppendInt(c.answer, int64(set.Live()), 10) })
	}),
}

// ofSet reads the set under the key, answers with the line that tell writes,
// and compacts the set if it is dirty.
func (c setCall) ofSet(tell func(*Set)) {
	s := c.loadOne(c.key, counted)
	set := c.readSet(s)
	if set == nil {
		return
	}
	c.item = Item{s.reply.CAS, s.reply.TTL}
	tell(set)
	c.answer = append(c.answer, "\r\n"...)
	c.done()
	c.afterRead(c.compaction(nil, s))
}

// scompact compacts a set now, whatever state it is in.
var scompact = Verb{
	Verb:  protocol.Verb{Name: "scompact", Usage: "<key>", Read: keyList(1, 1)},
	Reads: true,
	run:   onSets(func(c setCall) { c.compactNow() }),
}
