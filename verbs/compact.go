package verbs

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

// Compacting is done by readers, who have folded the log anyhow, and now and
// then by writers, as there are structures that are written for days and read
// by nobody. They do so only where the log fits into the head.

// dirty reports whether the set that was read last is worth compacting.
func (c *Call) dirty(r Reply) bool {
	return c.set.Dead() > c.env.Options().CompactDirtiness && r.swappable()
}

// compaction adds to swaps one for the set that was read last, if it is dirty.
// What has segments is left to settling and merging.
func (c *Call) compaction(swaps []Op, s *structure) []Op {
	if len(s.head.segments) > 0 || !c.dirty(s.reply) {
		return swaps
	}
	return append(swaps, c.swap(s.key, c.set.AppendLog(nil), s.reply))
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

// scompact compacts a structure now, whatever state it is in.
var scompact = Verb{
	Verb:  protocol.Verb{Name: "scompact", Usage: "<key>", Read: keyList(1, 1)},
	Reads: true,
	run:   (*Call).scompact,
}

func (c *Call) scompact() {
	p := plan{Call: c, key: c.key, limit: c.headLimit(c.key), whole: true}
	c.env.Hold(c.key, true)
	defer c.env.Hold(c.key, false)
	switch r := p.carryOut(func(Reply) bool { return true }); r.Status {
	case Stored:
		c.say("OK")
	case Missing:
		c.say("NOT_FOUND")
	default:
		c.fail(r)
	}
}

// smallLog is a size, in bytes, below which the length of a log does no harm.
const smallLog = 4 << 10

// tidy is called after a structure was appended to: by more bytes, or none if
// somebody else sees to it, to size in all, 0 if that is not known.
func (c *Call) tidy(key []byte, more, size int) {
	if c.untidy(more, size, c.headLimit(key)) {
		c.tidyUp(key, size)
	}
}

// untidy reports whether there is something to be done about a structure that
// was appended to. A head that has become too long is settled. One that has not
// is compacted by chance, for which each byte appended has the same share of the
// size: so a log is looked at about as often as it doubles, and what that costs
// is the same for each byte, however long the log is.
func (c *Call) untidy(more, size, limit int) bool {
	if size > limit {
		return settles(size-more, size, limit)
	}
	return c.random(max(size, smallLog)) < more
}

// tidyUp does what there is to be done, if any, about a structure whose head is
// of the size given.
func (c *Call) tidyUp(key []byte, size int) {
	if limit := c.headLimit(key); size > limit {
		if c.settle(key, limit).Status == Stored {
			c.merge(key)
		}
		return
	}
	r := c.ask(Op{Kind: Fetch, Key: key})
	if r.Status != Hit || bytes.HasPrefix(r.Data, []byte{'@'}) || !c.foldHead(r.Data) {
		return
	}
	if c.dirty(r) && c.set.Dead() > c.set.Live() {
		c.count(c.ask(c.swap(key, c.set.AppendLog(nil), r)))
	}
}

// foldHead folds a log that was just read. It returns false too if that is a long
// one and there is no room for it: somebody else will look at it.
func (c *Call) foldHead(log []byte) bool {
	if len(log) <= c.pace.freely() {
		return c.set.Read(log)
	}
	if !c.reserve(c.loaded + len(log)) {
		return false
	}
	log = bytes.Clone(log)
	tokens := c.countTokens(log)
	return c.reserve(c.loaded+2*len(log)+foldRoom(tokens)) && c.fold(log, tokens)
}

// settles reports whether who has appended to a head that is too long comes to
// settle it: not everybody, as long as that may do, since all but one come in
// vain. Should they not succeed, there is one more with every further step, and
// in the end everybody, so that everybody's proxy holds appends back.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
