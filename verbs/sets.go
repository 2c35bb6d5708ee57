package verbs

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// sadd adds members: a token each, appended without reading.
var sadd = Verb{
	Verb:   protocol.Verb{Name: "sadd", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &Carry{Value: WordsValue, Shape: "<set>"},
	direct: func(c *Call) Op {
		return Op{Kind: AppendOrCreate, Key: c.key, Exptime: c.exptime, Data: c.tokens('+')}
	},
	run: func(c *Call) { c.change('+') },
}

// srem removes members, in the same way.
var srem = Verb{
	Verb:   protocol.Verb{Name: "srem", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &Carry{Value: WordsValue, Shape: "<set>"},
	direct: func(c *Call) Op { return Op{Kind: AppendSized, Key: c.key, Data: c.tokens('-')} },
	run:    func(c *Call) { c.change('-') },
}

// change appends a token for each member named. A set that it creates expires
// when the request says, which it does if an ordinary command carried it.
func (c *Call) change(sign byte) {
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
func (c *Call) tokens(sign byte) []byte {
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
func (c *Call) eachWord(text []byte, do func(word []byte)) {
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

// noSet is the outcome of reading what is no set.
func noSet(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a set", key)}
}

// read folds the log of the set that was loaded. If there is none, it tells the
// client, who asked for it by key alone, and returns false.
func (c *Call) read(s *structure) bool {
	switch {
	case s.reply.Status == Missing:
		c.say("NOT_FOUND")
	case s.reply.Status != Hit:
		c.fail(s.reply)
	case !s.sound || !c.fold(s.log, s.tokens):
		c.fail(noSet(s.key))
	default:
		return true
	}
	return false
}

// fold folds a log, which has so many tokens at most if it is a long one. It
// reports whether that is the log of a set at all.
func (c *Call) fold(log []byte, tokens int) bool {
	if tokens > 0 {
		if room := foldRoom(tokens); room > muchMemory && c.set.kept() < room {
			c.takeScratch()
			c.set.adopt(c.scratch.tokens, c.scratch.table, 2*room)
			c.scratch.tokens, c.scratch.table = nil, nil
		}
		c.pace.rest(tokens)
		c.set.expect(tokens)
	}
	return c.set.Read(log)
}

// members are asked for this many sets at once, to bound the memory held.
const setsAtOnce = 16

// smembers answers with the members of each set.
var smembers = Verb{
	Verb: protocol.Verb{Name: "smembers", Usage: "<key>+", Read: keyList(1, math.MaxInt), List: true},
	Keys: true, Reads: true, ReadOnly: true, Whole: true,
	Carry: &Carry{Shape: "<set>"},
	run:   (*Call).smembers,
}

func (c *Call) smembers() {
	var later []Op
	for list := c.words; len(list) > 0; {
		if list = c.listed(list, setsAtOnce); len(c.list) == 0 {
			break
		}
		c.load(c.list, listed)
		for i := range c.list {
			s := &c.list[i]
			if s.reply.Status == Missing {
				continue
			}
			if !c.read(s) || !c.members(s) {
				return
			}
			later = c.compaction(later, s)
		}
	}
	c.end()
	c.compact(later)
}

// listed makes the call's list one of the first words of keys, and returns the
// others.
func (c *Call) listed(keys []byte, most int) (rest []byte) {
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

// members adds the set that was read last to the answer. It returns false if
// it gave another answer.
func (c *Call) members(s *structure) bool {
	if c.item = (Item{s.reply.CAS, s.reply.TTL}); len(c.answer) > 0 {
		c.item = Item{TTL: -1}
	}
	return c.valueOfSet(s.key)
}

// valueOfSet adds the members of the set that was read last to the answer. It
// returns false if it gave another answer.
func (c *Call) valueOfSet(key []byte) bool {
	size := c.set.Length()
	if c.tooLong(size) {
		return false
	}
	c.answer = grow(&c.pace, c.answer, len("VALUE  0 33554432\r\n\r\nEND\r\n")+len(key)+size)
	c.beginValue(key, size)
	c.answer = c.set.AppendMembers(c.answer)
	c.answer = append(c.answer, "\r\n"...)
	return true
}

// beginValue adds what stands before a value of so many bytes to the answer.
func (c *Call) beginValue(key []byte, size int) {
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
	run:   (*Call).sismember,
}

func (c *Call) sismember() {
	c.ofSet(func() {
		c.eachWord(c.words, func(member []byte) {
			if len(c.answer) > 0 {
				c.answer = append(c.answer, ' ')
			}
			if c.set.Has(member) {
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
	run: func(c *Call) {
		c.ofSet(func() { c.answer = strconv.AppendInt(c.answer, int64(c.set.Live()), 10) })
	},
}

// ofSet reads the set under the key, answers with the line that tell writes,
// and compacts the set if it is dirty.
func (c *Call) ofSet(tell func()) {
	s := c.loadOne(c.key, counted)
	if !c.read(s) {
		return
	}
	c.item = Item{s.reply.CAS, s.reply.TTL}
	tell()
	c.answer = append(c.answer, "\r\n"...)
	c.done()
	c.compact(c.compaction(nil, s))
}
