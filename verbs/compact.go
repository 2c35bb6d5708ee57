package verbs

import "bytes"

// Compacting is done by readers, who have folded the log anyhow, and now and
// then by writers, as there are structures that are written for days and read
// by nobody. They do so only where the log fits into the head.

// dirty reports whether what r read, which comes to fold, is worth compacting.
func (c *engine) dirty(r Reply, fold Fold) bool {
	return fold.Dead() > c.env.Options().CompactDirtiness && r.swappable()
}

// compaction adds to swaps one for a structure that was read, if it is dirty.
// What has segments is left to settling and merging.
func (c *engine) compaction(swaps []Op, s *structure) []Op {
	if len(s.head.segments) > 0 || !c.dirty(s.reply, s.fold) {
		return swaps
	}
	return append(swaps, c.swap(s.key, c.kind.logOf(&c.pace, s.fold), s.reply))
}

// afterRead does what there is to be done when the client has got its answer: it carries
// out swaps, and sees to it that what was answered from views lasts.
func (c *engine) afterRead(swaps []Op) {
	views := c.unprobed()
	c.giveBack()
	c.swapAll(swaps)
	c.probeAll(views)
}

// compactNow compacts the structure that the call is about, whatever state it is in.
func (c *engine) compactNow() {
	p := plan{engine: c, key: c.key, limit: c.headLimit(c.key), whole: true}
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
func (c *engine) tidy(key []byte, more, size int) {
	if c.untidy(more, size, c.headLimit(key)) {
		c.tidyUp(key, size)
	}
}

// untidy reports whether there is something to be done about a structure that
// was appended to. A head that has become too long is settled. One that has not
// is compacted by chance, for which each byte appended has the same share of the
// size: so a log is looked at about as often as it doubles, and what that costs
// is the same for each byte, however long the log is.
func (c *engine) untidy(more, size, limit int) bool {
	if size > limit {
		return settles(size-more, size, limit)
	}
	return c.random(max(size, smallLog)) < more
}

// tidyUp does what there is to be done, if any, about a structure whose head is
// of the size given.
func (c *engine) tidyUp(key []byte, size int) {
	if limit := c.headLimit(key); size > limit {
		if c.settle(key, limit).Status == Stored {
			c.merge(key)
		}
		return
	}
	r := c.ask(Op{Kind: Fetch, Key: key})
	if r.Status != Hit || bytes.HasPrefix(r.Data, []byte{'@'}) {
		return
	}
	kind := kindOf(letterOf(trimSpace(r.Data)))
	if kind == nil {
		return
	}
	fold := c.foldHead(kind, r.Data)
	if fold != nil && c.dirty(r, fold) && fold.Dead() > fold.Live() {
		c.count(c.ask(c.swap(key, kind.logOf(&c.pace, fold), r)))
	}
}

// foldHead folds a log of a structure of a kind that was just read. It returns nil too if
// that is a long one and there is no room for it: somebody else will look at it.
func (c *engine) foldHead(kind *Kind, log []byte) Fold {
	if len(log) <= c.pace.freely() {
		return c.foldLog(kind, log, 0)
	}
	if !c.reserve(c.loaded + len(log)) {
		return nil
	}
	log = bytes.Clone(log)
	tokens := c.countTokens(log)
	if !c.reserve(c.loaded + 2*len(log) + kind.Room(tokens)) {
		return nil
	}
	return c.foldLog(kind, log, tokens)
}

// settles reports whether who has appended to a head that is too long comes to
// settle it: not everybody, as long as that may do, since all but one come in
// vain. Should they not succeed, there is one more with every further step, and
// in the end everybody, so that everybody's proxy holds appends back.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
