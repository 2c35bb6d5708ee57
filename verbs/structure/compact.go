package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// Compacting is done by readers, who have folded the log anyhow, and now and
// then by writers, as there are structures that are written for days and read
// by nobody. They do so only where the log fits into the head.

// dirty reports whether what r read, which comes to fold, is worth compacting.
func (c *Engine) dirty(r verbs.Reply, fold Fold) bool {
	return fold.Dead() > c.env.Options().CompactDirtiness && r.Swappable()
}

// Compaction adds to swaps one for a structure that was read, if it is dirty.
// What has segments is left to settling and merging.
func (c *Engine) Compaction(swaps []verbs.Op, s *Loaded) []verbs.Op {
	if len(s.head.segments) > 0 || !c.dirty(s.Reply, s.Fold) {
		return swaps
	}
	return append(swaps, c.Swap(s.Key, c.Kind.logOf(&c.Pace, s.Fold), s.Reply))
}

// AfterRead does what there is to be done when the client has got its answer: it carries
// out swaps, and sees to it that what was answered from views lasts.
func (c *Engine) AfterRead(swaps []verbs.Op) {
	views := c.unprobed()
	c.GiveBack()
	c.SwapAll(swaps)
	c.probeAll(views)
}

// CompactNow compacts the structure that the call is about, whatever state it is in.
func (c *Engine) CompactNow() {
	p := plan{Engine: c, key: c.Key, limit: c.HeadLimit(c.Key), whole: true}
	c.env.Hold(c.Key, true)
	defer c.env.Hold(c.Key, false)
	switch r := p.carryOut(func(verbs.Reply) bool { return true }); r.Status {
	case verbs.Stored:
		c.Say("OK")
	case verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		c.Fail(r)
	}
}

// smallLog is a size, in bytes, below which the length of a log does no harm.
const smallLog = 4 << 10

// Tidy is called after a structure was appended to: by more bytes, or none if
// somebody else sees to it, to size in all, 0 if that is not known.
func (c *Engine) Tidy(key []byte, more, size int) {
	if c.untidy(more, size, c.HeadLimit(key)) {
		c.TidyUp(key, size)
	}
}

// untidy reports whether there is something to be done about a structure that
// was appended to. A head that has become too long is settled. One that has not
// is compacted by chance, for which each byte appended has the same share of the
// size: so a log is looked at about as often as it doubles, and what that costs
// is the same for each byte, however long the log is.
func (c *Engine) untidy(more, size, limit int) bool {
	if size > limit {
		return settles(size-more, size, limit)
	}
	return c.Random(max(size, smallLog)) < more
}

// UntidyNow is untidy for a call that was one append, see [Engine.Direct].
func (c *Engine) UntidyNow() bool { return c.untidy(c.Grown, c.Size, c.limit) }

// TidyUp does what there is to be done, if any, about a structure whose head is
// of the size given.
func (c *Engine) TidyUp(key []byte, size int) {
	if limit := c.HeadLimit(key); size > limit {
		if c.Settle(key, limit).Status == verbs.Stored {
			c.merge(key)
		}
		return
	}
	r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	if r.Status != verbs.Hit || bytes.HasPrefix(r.Data, []byte{'@'}) {
		return
	}
	kind := kindOf(letterOf(trimSpace(r.Data)))
	if kind == nil {
		return
	}
	fold := c.foldHead(kind, r.Data)
	if fold != nil && c.dirty(r, fold) && fold.Dead() > fold.Live() {
		c.Count(c.Ask(c.Swap(key, kind.logOf(&c.Pace, fold), r)))
	}
}

// foldHead folds a log of a structure of a kind that was just read. It returns nil too if
// that is a long one and there is no room for it: somebody else will look at it.
func (c *Engine) foldHead(kind *Kind, log []byte) Fold {
	if len(log) <= c.Pace.Freely() {
		return c.FoldLog(kind, log, 0)
	}
	if !c.Reserve(c.loaded + len(log)) {
		return nil
	}
	log = bytes.Clone(log)
	tokens := c.CountTokens(log)
	if !c.Reserve(c.loaded + 2*len(log) + kind.Room(tokens)) {
		return nil
	}
	return c.FoldLog(kind, log, tokens)
}

// settles reports whether who has appended to a head that is too long comes to
// settle it: not everybody, as long as that may do, since all but one come in
// vain. Should they not succeed, there is one more with every further step, and
// in the end everybody, so that everybody's proxy holds appends back.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
