package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Some calls that have appended to a structure tidy up after their answer: they settle a head that
// has become too long, or compact a log of which much is superfluous.

// smallLog is a length, in bytes, below which compacting a log gains little.
const smallLog = 4 << 10

// smallStep is the length, in bytes, below which an append is a small step. memcached copies the whole
// item for each append; for a longer one, that cost is spread over more bytes.
const smallStep = 1 << 10

// Tidy is called after an append to a structure. more is the number of bytes appended,
// 0 if another call tidies up after them; size is the resulting length of the head, 0
// if unknown.
func (e *Engine) Tidy(key []byte, more, size int) {
	if untidy(e.Call, more, size, e.HeadLimit(key)) {
		e.TidyUp(key, size)
	}
}

// TidyDecided is Tidy for a call that has decided with the outcome r, see [Engine.Decide].
func (e *Engine) TidyDecided(r verbs.Reply) {
	if r.Grown > 0 && e.untidyDecided(r) {
		e.TidyUp(e.Key, r.Size)
	}
}

// untidyDecided reports whether TidyDecided has something to do.
func (e *Engine) untidyDecided(r verbs.Reply) bool {
	dead := e.weight.dead
	return dead > e.weight.live && e.env.Options().Compacts(dead) && e.Random(dead) < compactedOften ||
		untidy(e.Call, r.Grown, r.Size, e.HeadLimit(e.Key))
}

// weigh notes how many tokens the structure has that the call decides on.
func (e *Engine) weigh(fold format.Fold) { e.weight = weight{fold.Dead(), fold.Live()} }

// compactedOften is about how many calls compact a log while as many calls append to it as it has
// dead tokens. It is small, since each compaction takes a read and a swap that may fail.
const compactedOften = 12

// untidy reports whether a structure needs tidying up after an append. A head that is
// too long should be settled. A shorter one is considered for compaction at random,
// with probability more/size: so a log is read about once each time it doubles, and the
// cost for each byte appended does not depend on the log's length. memcached copies the whole item
// for each append, however little that adds, so a log that grows in small steps is read twice as
// often, for it to stay short.
func untidy(c *verbs.Call, more, size, limit int) bool {
	switch {
	case size > limit:
		return settles(size-more, size, limit)
	case size <= smallLog:
		return c.Random(smallLog) < more
	}
	return c.Random(size) < max(more, min(2*more, smallStep))
}

// Untidy reports whether [Engine.TidyUp] should follow an append to a part of the call's structure,
// see [Engine.Tidy]. It does not use the engine.
func Untidy(c *verbs.Call, key []byte, more, size int) bool {
	return untidy(c, more, size, headLimit(c.Env, c.Key, key))
}

// TidyUp tidies up a structure whose head has size bytes: it settles a head that is too
// long and then merges segments, or compacts a shorter one if that is worth it.
func (e *Engine) TidyUp(key []byte, size int) {
	limit := e.HeadLimit(key)
	if size <= limit {
		e.asLeader(func() { e.compactHead(key) })
		return
	}
	if e.isStuck(key) {
		return
	}
	settled := false
	e.asLeader(func() { settled = e.Settle(key, limit).Status == verbs.Stored })
	if settled {
		e.merge(key)
	}
}

// compactHead compacts a structure without segments if that is worth it. It keeps the segments of a
// structure that has some from being evicted.
func (e *Engine) compactHead(key []byte) {
	r := e.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	if r.Status != verbs.Hit {
		return
	}
	if bytes.HasPrefix(r.Data, []byte{'@'}) {
		e.refreshWritten(key, r)
		return
	}
	kind := format.KindOf(format.LetterOf(format.TrimSpace(r.Data)))
	if kind == nil {
		return
	}
	var fold format.Fold
	if r.Data, fold = e.foldHead(kind, r.Data); fold == nil || !e.dirty(r, fold) || fold.Dead() <= fold.Live() {
		return
	}
	if !e.isOver(key, forgets(fold)) {
		return
	}
	log := kind.LogOf(&e.Pace, fold)
	if !e.replaces(key, log, r) {
		return
	}
	ch := &change{old: r.Data, new: log, closed: len(log) > 0, empty: isEmpty(&e.Pace, kind, fold), letter: kind.Letter, foreign: foreignIn(kind, fold)}
	if e.swapIn(key, ch, r).Status == verbs.Exists && len(log) < len(r.Data) {
		e.hold(key, true)
		defer e.hold(key, false)
		e.commit(key, ch, compactTries)
	}
}

// compactTries is how often compacting a head is tried while others append. If many clients write to
// the structure, other proxies append all the time. But then each append is large, so the length of
// the head matters little; and meanwhile this proxy's clients wait.
const compactTries = 4

// foldHead folds a log that was just read, and returns a copy of it and the fold. It returns no fold if
// the log is not of the kind, or if it is long and there is no memory to fold it: a later call will try
// again.
func (e *Engine) foldHead(kind *format.Kind, log []byte) (kept []byte, fold format.Fold) {
	large, tokens := len(log) > e.Pace.Freely(), 0
	if large && !e.Reserve(e.loaded+len(log)) {
		return nil, nil
	}
	log = bytes.Clone(log)
	if large {
		tokens = e.countTokens(kind, log)
		if !e.Reserve(e.loaded + 2*len(log) + kind.Room(tokens)) {
			return nil, nil
		}
	}
	return log, e.FoldLog(kind, log, tokens)
}

// settles reports whether this writer, whose append made a head grow from before to
// after bytes, should settle it. Few should, since only one can succeed: the writer
// that crosses the limit, then one more for each further sixteenth of it. Beyond twice
// the limit all should, so that all proxies hold back their appends.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
