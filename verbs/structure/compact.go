package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// Readers compact, since they have folded the log anyway; now and then writers do,
// since some structures are written for days and never read. Both compact only
// structures without segments.

// dirty reports whether the head that r has read, with the given fold, is worth
// compacting and can be swapped.
func (c *Engine) dirty(r verbs.Reply, fold Fold) bool {
	return c.env.Options().Compacts(fold.Dead()) && r.Swappable()
}

// Compaction is a swap that compacts a structure.
type Compaction struct {
	swap    verbs.Op
	foreign foreign
}

// Compaction appends to list one that compacts s, if s is dirty. Structures with
// segments are left to settling and merging.
func (c *Engine) Compaction(list []Compaction, s *Loaded) []Compaction {
	if len(s.head.segments) > 0 || !c.dirty(s.Reply, s.Fold) {
		return list
	}
	log := c.Kind.logOf(&c.Pace, s.Fold)
	if !c.replaces(s.Key, log, s.Reply) {
		return list
	}
	return append(list, Compaction{c.Swap(s.Key, log, s.Reply), foreignIn(c.Kind, s.Fold)})
}

// replaces reports whether log may replace the head under key that r has read. Usually it is shorter,
// but what is remembered of orders may be longer than these.
func (c *Engine) replaces(key, log []byte, r verbs.Reply) bool {
	return len(log) <= r.Size || c.Fits(c.owner(key), key, log)
}

// AfterRead does the work that remains after a read has been answered: it carries out
// compactions, without retrying those that fail, and probes the parts of views that were
// used.
func (c *Engine) AfterRead(list []Compaction) {
	views := c.unprobed()
	c.GiveBack()
	c.Ops = c.Ops[:0]
	for i := range list {
		c.Ops = append(c.Ops, list[i].swap)
	}
	for i, r := range c.AskAll(c.Ops) {
		c.countSwap(list[i].swap.Key, list[i].foreign, r)
	}
	c.probeAll(views)
}

// Compact compacts the structure under key as a whole, dirty or not. It returns Stored;
// Missing if there is none; or Failed.
func (c *Engine) Compact(key []byte) verbs.Reply {
	p := plan{Engine: c, key: key, limit: c.HeadLimit(key), whole: true}
	c.hold(key, true)
	defer c.hold(key, false)
	return p.carryOut(func(verbs.Reply) bool { return true })
}

// CompactNow compacts the call's structure and answers the client.
func (c *Engine) CompactNow() {
	switch r := c.Compact(c.Key); r.Status {
	case verbs.Stored:
		c.Say("OK")
	case verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		c.Fail(r)
	}
}

// smallLog is a length, in bytes, below which compacting a log gains little.
const smallLog = 4 << 10

// Tidy is called after an append to a structure. more is the number of bytes appended,
// 0 if another call tidies up after them; size is the resulting length of the head, 0
// if unknown.
func (c *Engine) Tidy(key []byte, more, size int) {
	if untidy(c.Call, more, size, c.HeadLimit(key)) {
		c.TidyUp(key, size)
	}
}

// TidyFolded is Tidy for a call that has folded the structure before its append, and found so
// many dead and live tokens.
func (c *Engine) TidyFolded(more, size, dead, live int) {
	if c.untidyFolded(more, size, dead, live) {
		c.TidyUp(c.Key, size)
	}
}

// untidyFolded reports whether TidyFolded has something to do.
func (c *Engine) untidyFolded(more, size, dead, live int) bool {
	return dead > live && c.env.Options().Compacts(dead) && c.Random(dead) < compactedOften ||
		untidy(c.Call, more, size, c.HeadLimit(c.Key))
}

// compactedOften is about how often a log is compacted while as many calls append to it as it
// has dead tokens: few times, since each takes a read and a swap that may fail.
const compactedOften = 12

// untidy reports whether a structure needs tidying up after an append. A head that is
// too long should be settled. A shorter one is considered for compaction at random,
// with probability more/size: so a log is read about once each time it doubles, and the
// cost for each byte appended does not depend on the log's length.
func untidy(c *verbs.Call, more, size, limit int) bool {
	if size > limit {
		return settles(size-more, size, limit)
	}
	return c.Random(max(size, smallLog)) < more
}

// Untidy reports whether [Engine.TidyUp] should follow an append to a part of the call's structure,
// see [Engine.Tidy]. It does without the engine.
func Untidy(c *verbs.Call, key []byte, more, size int) bool {
	return untidy(c, more, size, headLimit(c.Env, c.Key, key))
}

// TidyUp tidies up a structure whose head has size bytes: it settles a head that is too
// long and then merges segments, or compacts a shorter one if that is worth it.
func (c *Engine) TidyUp(key []byte, size int) {
	limit := c.HeadLimit(key)
	if size <= limit {
		c.inTurn(func() { c.compactHead(key) })
		return
	}
	settled := false
	c.inTurn(func() { settled = c.Settle(key, limit).Status == verbs.Stored })
	if settled {
		c.merge(key)
	}
}

// compactHead compacts a structure without segments if that is worth it, and keeps the segments of
// others from being evicted.
func (c *Engine) compactHead(key []byte) {
	r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	if r.Status != verbs.Hit {
		return
	}
	if bytes.HasPrefix(r.Data, []byte{'@'}) {
		c.refreshWritten(key, r)
		return
	}
	kind := kindOf(letterOf(trimSpace(r.Data)))
	if kind == nil {
		return
	}
	fold := c.foldHead(kind, r.Data)
	if fold != nil && c.dirty(r, fold) && fold.Dead() > fold.Live() {
		out := foreignIn(kind, fold)
		if log := kind.logOf(&c.Pace, fold); c.replaces(key, log, r) {
			c.countSwap(key, out, c.Ask(c.Swap(key, log, r)))
		}
	}
}

// foldHead folds a log that was just read. It returns nil if log is not of the kind, or
// if it is long and there is no room to fold it: a later call will try again.
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

// settles reports whether this writer, whose append made a head grow from before to
// after bytes, should settle it. Few should, since only one can succeed: the writer
// that crosses the limit, then one more for each further sixteenth of it. Beyond twice
// the limit all should, so that all proxies hold back their appends.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
