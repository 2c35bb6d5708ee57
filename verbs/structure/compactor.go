package structure

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Readers compact, since they have folded the log anyway. From time to time writers do (tidier.go),
// since some structures are written for days and never read. Both compact only structures without
// segments. If the log has changed meanwhile, a reader gives up, since there will be another
// reader; a writer keeps what was appended and tries again, since otherwise a log to which others
// append all the time would never be compacted.

// compactor is the part of an [Engine] that compacts logs.
type compactor struct {
	*call
	folds  *folds
	clock  *clock
	loader *loader
	writer *writer
}

// dirty reports whether the head that r has read, with the given fold, is worth
// compacting and can be swapped.
func (c *compactor) dirty(r verbs.Reply, fold format.Fold) bool {
	return c.env.Options().Compacts(fold.Dead()) && r.Swappable()
}

// mayBeDirty reports whether a log that was just read has enough tokens to be worth compacting, so that it has to be folded.
// A log of long tokens, such as elements with data, has few.
func (c *compactor) mayBeDirty(log []byte) bool {
	return c.env.Options().Compacts(format.CountExactly(nil, log)) // without a pause, which would invalidate the log
}

// Compaction is an operation that compacts a structure.
type Compaction struct {
	op       verbs.Op // a swap without an exptime, or a deletion
	head     verbs.Reply
	since    int64 // the latest time at which something was forgotten, see isOver
	foreign  foreign
	segments []format.Segment // to which nothing points afterwards
}

// Compaction appends to list one that compacts s, if s is dirty, or deletes it, if nothing is left of it
// (emptied.go). Other structures with segments are left to settling and merging.
func (c *compactor) Compaction(list []Compaction, s *Loaded) []Compaction {
	if c.over(s) {
		return append(list, Compaction{
			op: format.VersionOf(&s.Reply).Deletion(s.Key), since: forgets(s.Fold), foreign: foreignIn(c.Kind, s.Fold), segments: slices.Clone(s.Head.Segments),
		})
	}
	if len(s.Head.Segments) > 0 || !c.dirty(s.Reply, s.Fold) {
		return list
	}
	log := c.Kind.LogOf(&c.Pace, s.Fold)
	if !c.replaces(s.Key, log, s.Reply) {
		return list
	}
	head := s.Reply
	head.Data = nil // it is valid only until the next operation
	return append(list, Compaction{op: c.Swap(s.Key, log, head, 0), head: head, since: forgets(s.Fold), foreign: foreignIn(c.Kind, s.Fold)})
}

// replaces reports whether log may replace the head under key that r has read. Usually log is
// shorter, but the remembered results of orders may be longer than the orders.
func (c *compactor) replaces(key, log []byte, r verbs.Reply) bool {
	return len(log) <= r.Size || c.Fits(c.owner(key), key, log)
}

// AfterRead does the work that remains after a read has been answered: it carries out
// compactions, without retrying those that fail, and probes the parts of views that were
// used.
func (c *compactor) AfterRead(list []Compaction) {
	views := c.loader.lent.Unprobed(c.env.Uptime())
	c.loader.endLoans()
	made := list[:0]
	for _, of := range list {
		if c.completes(&of) {
			made = append(made, of)
		}
	}
	c.Ops = c.Ops[:0]
	for i := range made {
		c.Ops = append(c.Ops, made[i].op)
	}
	for i, r := range c.AskAll(c.Ops) {
		if c.writer.countSwap(made[i].op.Key, made[i].foreign, r); r.Status != verbs.Stored {
			made[i].segments = nil
		}
	}
	for i := range made {
		c.writer.remove(made[i].op.Key, made[i].segments)
	}
	c.loader.probeAll(views)
}

// completes sets the exptime of a compaction. It returns false if the compaction must not be made.
func (c *compactor) completes(of *Compaction) (ok bool) {
	if !c.clock.isOver(of.op.Key, of.since) {
		return false
	}
	if of.op.Kind == verbs.Swap {
		of.op.Exptime, ok = c.clock.exptimeOf(of.op.Key, &of.head)
		return ok
	}
	return true
}

// over reports whether the structure s, which was read, should be deleted because it is empty.
func (c *compactor) over(s *Loaded) bool {
	return format.Ends(&s.Reply) && !c.env.Options().ReadOnly && isEmpty(&c.Pace, c.Kind, s.Fold)
}

// compactHead compacts a structure without segments if that is worth it. It keeps the segments of a
// structure that has some from being evicted.
func (c *compactor) compactHead(key []byte) {
	r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	if r.Status != verbs.Hit {
		return
	}
	if bytes.HasPrefix(r.Data, []byte{'@'}) {
		c.loader.refreshWritten(key, r)
		return
	}
	kind := format.KindOf(format.LetterOf(format.TrimSpace(r.Data)))
	if kind == nil || !c.mayBeDirty(r.Data) {
		return
	}
	var fold format.Fold
	if r.Data, fold = c.foldHead(kind, r.Data); fold == nil || !c.dirty(r, fold) || fold.Dead() <= fold.Live() {
		return
	}
	if !c.clock.isOver(key, forgets(fold)) {
		return
	}
	log := kind.LogOf(&c.Pace, fold)
	if !c.replaces(key, log, r) {
		return
	}
	ch := &change{old: r.Data, new: log, closed: len(log) > 0, empty: isEmpty(&c.Pace, kind, fold), letter: kind.Letter, foreign: foreignIn(kind, fold)}
	if c.writer.swapIn(key, ch, r).Status == verbs.Exists && len(log) < len(r.Data) {
		c.hold(key, true)
		defer c.hold(key, false)
		c.writer.commit(key, ch, verbs.Reply{}, compactTries)
	}
}

// compactTries is how often compacting a head is tried while others append. If many clients write to
// the structure, other proxies append all the time. But then each append is large, so the length of
// the head matters little; and meanwhile this proxy's clients wait.
const compactTries = 4

// foldHead folds a log that was just read, and returns a copy of it and the fold. It returns no fold if
// the log is not of the kind, or if it is long and there is no memory to fold it: a later call will try
// again.
func (c *compactor) foldHead(kind *format.Kind, log []byte) (kept []byte, fold format.Fold) {
	large, tokens := len(log) > c.Pace.Freely(), 0
	if large && !c.Reserve(c.loader.loaded+len(log)) {
		return nil, nil
	}
	log = bytes.Clone(log)
	if large {
		tokens = c.folds.countTokens(kind, log)
		if !c.Reserve(c.loader.loaded + 2*len(log) + kind.Memory(tokens)) {
			return nil, nil
		}
	}
	return log, c.folds.FoldLog(kind, log, tokens)
}
