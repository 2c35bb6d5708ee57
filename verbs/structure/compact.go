package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Readers compact, since they have folded the log anyway. From time to time writers do (tidy.go),
// since some structures are written for days and never read. Both compact only structures without
// segments. If the log has changed meanwhile, a reader gives up, since there will be another
// reader; a writer keeps what was appended and tries again, since otherwise a log to which others
// append all the time would never be compacted.

// dirty reports whether the head that r has read, with the given fold, is worth
// compacting and can be swapped.
func (e *Engine) dirty(r verbs.Reply, fold format.Fold) bool {
	return e.env.Options().Compacts(fold.Dead()) && r.Swappable()
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
func (e *Engine) Compaction(list []Compaction, s *Loaded) []Compaction {
	if e.over(s) {
		return append(list, Compaction{
			op: format.VersionOf(&s.Reply).Deletion(s.Key), since: forgets(s.Fold), foreign: foreignIn(e.Kind, s.Fold), segments: slices.Clone(s.Head.Segments),
		})
	}
	if len(s.Head.Segments) > 0 || !e.dirty(s.Reply, s.Fold) {
		return list
	}
	log := e.Kind.LogOf(&e.Pace, s.Fold)
	if !e.replaces(s.Key, log, s.Reply) {
		return list
	}
	head := s.Reply
	head.Data = nil // it is valid only until the next operation
	return append(list, Compaction{op: e.Swap(s.Key, log, head, 0), head: head, since: forgets(s.Fold), foreign: foreignIn(e.Kind, s.Fold)})
}

// replaces reports whether log may replace the head under key that r has read. Usually log is
// shorter, but the remembered results of orders may be longer than the orders.
func (e *Engine) replaces(key, log []byte, r verbs.Reply) bool {
	return len(log) <= r.Size || e.Fits(e.owner(key), key, log)
}

// AfterRead does the work that remains after a read has been answered: it carries out
// compactions, without retrying those that fail, and probes the parts of views that were
// used.
func (e *Engine) AfterRead(list []Compaction) {
	views := e.lent.Unprobed(e.env.Uptime())
	e.endLoans()
	made := list[:0]
	for _, of := range list {
		if e.completes(&of) {
			made = append(made, of)
		}
	}
	e.Ops = e.Ops[:0]
	for i := range made {
		e.Ops = append(e.Ops, made[i].op)
	}
	for i, r := range e.AskAll(e.Ops) {
		if e.countSwap(made[i].op.Key, made[i].foreign, r); r.Status != verbs.Stored {
			made[i].segments = nil
		}
	}
	for i := range made {
		e.remove(made[i].op.Key, made[i].segments)
	}
	e.probeAll(views)
}

// completes sets the exptime of a compaction. It returns false if the compaction must not be made.
func (e *Engine) completes(of *Compaction) (ok bool) {
	if !e.isOver(of.op.Key, of.since) {
		return false
	}
	if of.op.Kind == verbs.Swap {
		of.op.Exptime, ok = e.exptimeOf(of.op.Key, &of.head)
		return ok
	}
	return true
}

// Compact compacts the structure under key as a whole, dirty or not. It returns Stored;
// Missing if there is none; or Failed.
func (e *Engine) Compact(key []byte) verbs.Reply {
	p := plan{e: e, key: key, limit: e.HeadLimit(key), whole: true}
	e.hold(key, true)
	defer e.hold(key, false)
	return p.carryOut(func(verbs.Reply) bool { return true })
}

// CompactNow compacts the call's structure and answers the client.
func (e *Engine) CompactNow() {
	switch r := e.Compact(e.Key); r.Status {
	case verbs.Stored:
		e.Say("OK")
	case verbs.Missing:
		e.Say("NOT_FOUND")
	default:
		e.Fail(r)
	}
}
