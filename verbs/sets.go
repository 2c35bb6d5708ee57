package verbs

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

func sadd(c *Call) { c.change('+') }

func srem(c *Call) { c.change('-') }

// change appends a token for each member named. A set that it creates expires
// when the request says, which it does if an ordinary command carried it.
func (c *Call) change(sign byte) {
	tokens := c.tokens(sign)
	for range maxTries {
		switch c.appendTo(c.key, tokens, sign == '+', c.exptime) {
		case stored:
			c.say("STORED")
			return
		case missing:
			c.say("NOT_FOUND")
			return
		case failed:
			return
		case full:
			if c.rewrite(tokens) {
				return
			}
		}
	}
	c.contended(c.key)
}

// tokens encodes the members named.
func (c *Call) tokens(sign byte) []byte {
	list := c.words
	for {
		var member []byte
		if member, list = protocol.NextWord(list); len(member) == 0 {
			return c.buf
		}
		c.buf = append(append(append(c.buf, sign), member...), ' ')
	}
}

// read folds the log of the set under key. If it is none, it tells the client
// and returns false.
func (c *Call) read(key, log []byte) bool {
	if c.set.Read(log) {
		return true
	}
	c.sayf("CLIENT_ERROR %s does not hold a set", key)
	return false
}

// swap returns the operation that replaces what r read by a shorter log, and
// keeps its flags and its time to live.
func (c *Call) swap(key, log []byte, r Reply) Op {
	ttl := exptime(max(r.TTL, 0), c.env.Now())
	return Op{Kind: Swap, Key: key, Data: log, Flags: r.Flags, Exptime: ttl, CAS: r.CAS}
}

// count enters a compaction in the account.
func (c *Call) count(r Reply) {
	c.Tried++
	if r.Status == Stored {
		c.Won++
	}
}

// dirty reports whether the set that r read is worth compacting.
func (c *Call) dirty(r Reply) bool {
	return c.set.Dead() > c.env.Options().CompactDirtiness && r.swappable()
}

// compact carries out swaps, each of which is let go if it fails.
func (c *Call) compact(swaps []Op) {
	if len(swaps) == 0 {
		return
	}
	for _, r := range c.askAll(swaps) {
		c.count(r)
	}
}

// members are asked for this many sets at once, to bound the memory held.
const setsAtOnce = 16

// smembers answers with the members of each set.
func smembers(c *Call) {
	var swaps []Op
	for list := c.words; len(list) > 0; {
		c.ops = c.ops[:0]
		for len(c.ops) < setsAtOnce {
			var key []byte
			if key, list = protocol.NextWord(list); len(key) == 0 {
				break
			}
			c.ops = append(c.ops, Op{Kind: Fetch, Key: key})
		}
		if len(c.ops) == 0 {
			break
		}
		for i, r := range c.askAll(c.ops) {
			if !c.members(c.ops[i].Key, r) {
				return
			}
			if r.Status == Hit && c.dirty(r) {
				swaps = append(swaps, c.swap(c.ops[i].Key, c.set.AppendLog(nil), r))
			}
		}
	}
	c.answer = append(c.answer, "END\r\n"...)
	c.done()
	c.compact(swaps)
}

// members adds the set that r read from key to the answer. It returns false if
// it gave another answer.
func (c *Call) members(key []byte, r Reply) bool {
	switch {
	case r.Status == Missing:
		return true
	case r.Status != Hit:
		c.fail(r)
		return false
	case !c.read(key, r.Data) || c.tooLong(len(r.Data)):
		return false
	}
	if c.item = (Item{r.CAS, r.TTL}); len(c.answer) > 0 {
		c.item = Item{TTL: -1}
	}
	c.buf = c.set.AppendMembers(c.buf[:0])
	c.answer = append(append(c.answer, "VALUE "...), key...)
	c.answer = append(c.answer, " 0 "...)
	c.answer = strconv.AppendInt(c.answer, int64(len(c.buf)), 10)
	c.answer = append(c.answer, "\r\n"...)
	c.answer = append(c.answer, c.buf...)
	c.answer = append(c.answer, "\r\n"...)
	return true
}

// sismember answers with a 1 or 0 for each member named.
func sismember(c *Call) {
	c.ofSet(func() {
		list := c.words
		for {
			var member []byte
			if member, list = protocol.NextWord(list); len(member) == 0 {
				break
			}
			if len(c.answer) > 0 {
				c.answer = append(c.answer, ' ')
			}
			if c.set.Has(member) {
				c.answer = append(c.answer, '1')
			} else {
				c.answer = append(c.answer, '0')
			}
		}
	})
}

// scard answers with the number of members.
func scard(c *Call) {
	c.ofSet(func() { c.answer = strconv.AppendInt(c.answer, int64(c.set.Live()), 10) })
}

// ofSet reads the set under the key, answers with the line that tell writes,
// and compacts the set if it is dirty.
func (c *Call) ofSet(tell func()) {
	r := c.ask(Op{Kind: Fetch, Key: c.key})
	switch {
	case r.Status == Missing:
		c.say("NOT_FOUND")
		return
	case r.Status != Hit:
		c.fail(r)
		return
	case !c.read(c.key, r.Data):
		return
	}
	c.item = Item{r.CAS, r.TTL}
	tell()
	c.answer = append(c.answer, "\r\n"...)
	c.done()
	if c.dirty(r) {
		c.compact([]Op{c.swap(c.key, c.set.AppendLog(nil), r)})
	}
}
