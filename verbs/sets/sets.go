package sets

import (
	"math"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Verbs are the verbs on sets, in the order in which help lists them.
var Verbs = []*verbs.Verb{
	&sadd, &srem, &smembers, &sismember, &sinter, &sunion, &sdiff,
	&scard, &spop, &srandmember, &scompact,
}

// setCall is a call of a verb on sets.
type setCall struct{ *structure.Engine }

// onSets converts a function of a setCall to one of a Call, for [verbs.Verb].
func onSets(run func(c setCall)) func(*verbs.Call) {
	return func(c *verbs.Call) { run(setCall{structure.EngineOf(c, &Kind)}) }
}

// sadd adds members: a token each, appended without reading.
var sadd = verbs.Verb{
	Verb:   protocol.Verb{Name: "sadd", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<set>"},
	Direct: appendsTokens(verbs.AppendOrCreate, '+'),
	After:  tidiesUp,
	Run:    onSets(func(c setCall) { c.change('+') }),
}

// srem removes members: a token each, appended without reading.
var srem = verbs.Verb{
	Verb:   protocol.Verb{Name: "srem", Usage: "<key> <member>+ [noreply]", Read: readChange, List: true},
	Tokens: tokensSize,
	Carry:  &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<set>"},
	Direct: appendsTokens(verbs.AppendSized, '-'),
	After:  tidiesUp,
	Run:    onSets(func(c setCall) { c.change('-') }),
}

// appendsTokens returns the Direct of a verb that appends a token for each member in
// the request.
func appendsTokens(kind verbs.OpKind, sign byte) func(*verbs.Call) (verbs.Op, bool) {
	return func(c *verbs.Call) (verbs.Op, bool) {
		s := setCall{structure.EngineOf(c, &Kind)}
		return s.Direct(verbs.Op{Kind: kind, Key: c.Key, Exptime: c.Exptime, Data: s.tokens(sign)})
	}
}

// tidiesUp is the After of a verb that appends: it returns what tidies up the set, nil
// if that is not needed.
func tidiesUp(c *verbs.Call) func(*verbs.Call) {
	if !structure.EngineOf(c, &Kind).UntidyNow() {
		return nil
	}
	return func(c *verbs.Call) { structure.EngineOf(c, &Kind).TidyUp(c.Key, c.Size) }
}

// change appends a token for each member in the request. A set that it creates gets the
// request's exptime, which is 0 unless an ordinary command carried the verb.
func (c setCall) change(sign byte) {
	tokens := c.tokens(sign)
	if !structure.Appended(c.Env, c.Key, len(tokens)) {
		c.Insert(tokens, sign == '+')
		return
	}
	for range verbs.MaxTries {
		switch o, size := c.AppendTo(c.Key, tokens, sign == '+', c.Exptime); o {
		case verbs.Done:
			c.Say("STORED")
			c.Tidy(c.Key, c.Grown, size)
			return
		case verbs.Absent:
			c.Say("NOT_FOUND")
			return
		case verbs.Told:
			return
		case verbs.Full:
			limit := min(c.HeadLimit(c.Key), max(size/2, verbs.SurelyTaken))
			if r := c.Settle(c.Key, limit); r.Status == verbs.Failed {
				c.Fail(r)
				return
			}
		}
	}
	c.Fail(c.NoRoom(c.Key, len(tokens)))
}

// tokens encodes the members in the request as tokens with the given sign.
func (c setCall) tokens(sign byte) []byte {
	if len(c.Words) > verbs.FreeArguments {
		c.Buf = slices.Grow(c.Buf, tokensSize(len(c.Words)))
	}
	c.eachWord(c.Words, func(member []byte) { c.Buf = appendToken(c.Buf, sign, member) })
	return c.Buf
}

// tokensSize returns the greatest length of the tokens for words of so many bytes: a
// member has at least one byte, and its token a sign and a space besides.
func tokensSize(words int) int { return words + words/2 + len("+m ") }

// eachWord calls do for each word of text, a slice at a time.
func (c setCall) eachWord(text []byte, do func(word []byte)) {
	for {
		for range max(c.Pace.Slice, 1) {
			var word []byte
			if word, text = protocol.NextWord(text); len(word) == 0 {
				return
			}
			do(word)
		}
		if word, _ := protocol.NextWord(text); len(word) > 0 {
			c.Pace.Pause()
		}
	}
}

// readSet returns the fold of a loaded set. If there is none, it answers the client
// with the reason and returns nil.
func (c setCall) readSet(s *structure.Loaded) *Set {
	switch {
	case s.Reply.Status == verbs.Missing:
		c.Say("NOT_FOUND")
	case s.Reply.Status != verbs.Hit:
		c.Fail(s.Reply)
	case c.Read(s) == nil:
		c.Fail(structure.NotOfKind(s.Key, c.Kind))
	default:
		return s.Fold.(*Set)
	}
	return nil
}

// setsAtOnce is how many sets smembers loads at once, to bound the memory in use.
const setsAtOnce = 16

// smembers answers with the members of each set.
var smembers = verbs.Verb{
	Verb: protocol.Verb{Name: "smembers", Usage: "<key>+", Read: keyList(1, math.MaxInt), List: true},
	Keys: true, Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>"},
	Run:   onSets(setCall.smembers),
}

func (c setCall) smembers() {
	var later []verbs.Op
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
			if set := c.readSet(s); set == nil || !c.members(s, set) {
				return
			}
			later = c.Compaction(later, s)
		}
	}
	c.End()
	c.AfterRead(later)
}

// listKeys sets the call's List to the first keys, at most most of them, and returns
// the other keys.
func (c setCall) listKeys(keys []byte, most int) (rest []byte) {
	c.List = c.List[:0]
	for len(c.List) < most {
		var key []byte
		if key, keys = protocol.NextWord(keys); len(key) == 0 {
			break
		}
		c.List = append(c.List, structure.Loaded{Key: key})
	}
	return keys
}

// members appends a set to the answer. It returns false if it has answered with an
// error instead.
func (c setCall) members(s *structure.Loaded, set *Set) bool {
	if c.Item = (verbs.Item{CAS: s.Reply.CAS, TTL: s.Reply.TTL}); len(c.Answer) > 0 {
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
	c.Answer = verbs.Grow(&c.Pace, c.Answer, len("VALUE  0 33554432\r\n\r\nEND\r\n")+len(key)+size)
	c.beginValue(key, size)
	c.Answer = set.AppendMembers(&c.Pace, c.Answer)
	c.Answer = append(c.Answer, "\r\n"...)
	return true
}

// beginValue appends the VALUE line for size bytes of data to the answer.
func (c setCall) beginValue(key []byte, size int) {
	c.Answer = append(append(c.Answer, "VALUE "...), key...)
	c.Answer = append(c.Answer, " 0 "...)
	c.Answer = strconv.AppendInt(c.Answer, int64(size), 10)
	c.Answer = append(c.Answer, "\r\n"...)
}

// sismember answers with 1 or 0 for each member in the request.
var sismember = verbs.Verb{
	Verb:  protocol.Verb{Name: "sismember", Usage: "<key> <member>+", Read: readMembers, List: true},
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>/<member>", Words: 1},
	Run:   onSets(setCall.sismember),
}

func (c setCall) sismember() {
	c.ofSet(func(set *Set) {
		c.eachWord(c.Words, func(member []byte) {
			if len(c.Answer) > 0 {
				c.Answer = append(c.Answer, ' ')
			}
			if set.Has(member) {
				c.Answer = append(c.Answer, '1')
			} else {
				c.Answer = append(c.Answer, '0')
			}
		})
	})
}

// scard answers with the number of members.
var scard = verbs.Verb{
	Verb:  protocol.Verb{Name: "scard", Usage: "<key>", Read: keyList(1, 1)},
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<set>"},
	Run: onSets(func(c setCall) {
		c.ofSet(func(set *Set) { c.Answer = strconv.AppendInt(c.Answer, int64(set.Live()), 10) })
	}),
}

// ofSet reads the set under the key, answers with the line that tell appends, and
// compacts the set if it is dirty.
func (c setCall) ofSet(tell func(*Set)) {
	s := c.LoadOne(c.Key, structure.Counted)
	set := c.readSet(s)
	if set == nil {
		return
	}
	c.Item = verbs.Item{CAS: s.Reply.CAS, TTL: s.Reply.TTL}
	tell(set)
	c.Answer = append(c.Answer, "\r\n"...)
	c.Done()
	c.AfterRead(c.Compaction(nil, s))
}

// scompact compacts a set now, dirty or not.
var scompact = verbs.Verb{
	Verb:  protocol.Verb{Name: "scompact", Usage: "<key>", Read: keyList(1, 1)},
	Reads: true,
	Run:   onSets(func(c setCall) { c.CompactNow() }),
}
