package execution

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// maxIdle is how many idle routines a loop keeps.
const maxIdle = 1024

// A routine keeps its buffers when it runs again, even if the new verb does not need them, and
// verbs that wait for memory cannot get those. So a routine that begins again frees buffers of
// more than keepLittle if the running routines of all loops would have kept more than this
// fraction of the budget.
const carriedShare = 32

// An idle routine frees buffers of more than keepMuch bytes, or of more than keepLittle
// if the idle routines of the loop would keep more than maxKept bytes together.
const (
	maxKept    = 16 << 20
	keepMuch   = 1 << 20
	keepLittle = 1 << 10
)

func (x *Executor) takeIdle() *Execution {
	if n := len(x.idle); n > 0 {
		r := x.idle[n-1]
		x.idle = x.idle[:n-1]
		if x.carried+r.kept > int(x.Account.Budget.Limit)/carriedShare/x.Loops {
			x.trimIdle(r)
		}
		x.kept -= r.kept
		x.carried += r.kept
		return r
	}
	return &Execution{executor: x, routine: verbs.NewRoutine(x)}
}

// keepIdle keeps r for a later verb.
func (x *Executor) keepIdle(r *Execution) {
	x.endCarrying(r)
	if len(x.idle) == maxIdle {
		r.routine.Close()
		return
	}
	r.routine.Trim(keepMuch)
	if r.kept = r.routine.Kept(); x.kept+r.kept > maxKept {
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	x.countKept(r.kept)
	x.idle = append(x.idle, r)
}

// endCarrying stops counting what r had kept before it began, since it has let go of that or is
// about to.
func (x *Executor) endCarrying(r *Execution) {
	x.carried -= r.kept
	x.Account.Give(r.kept)
	r.kept = 0
}

// trimIdle makes an idle routine keep little.
func (x *Executor) trimIdle(r *Execution) {
	r.routine.Trim(keepLittle)
	before := r.kept
	r.kept = r.routine.Kept()
	x.countKept(r.kept - before)
}

// CloseIdle ends the idle routines.
func (x *Executor) CloseIdle() {
	for _, r := range x.idle {
		r.routine.Close()
	}
	x.idle = nil
	x.countKept(-x.kept)
}

// countKept adds n to the bytes that idle routines keep.
func (x *Executor) countKept(n int) {
	x.kept += n
	if n >= 0 {
		x.Account.Take(n)
	} else {
		x.Account.Give(-n)
	}
}

// ShedIdle frees memory kept for reuse, because memory is short.
func (x *Executor) ShedIdle() {
	x.TakeScratch()
	if x.kept < keepMuch {
		return
	}
	for _, r := range x.idle {
		x.trimIdle(r)
	}
}

// KeepScratch implements [structure.Env].
func (x *Executor) KeepScratch(s structure.Scratch) {
	x.TakeScratch()
	if x.rooms.has(s.Size()) {
		x.Account.Take(s.Size())
		x.scratch = s
	}
}

// TakeScratch implements [structure.Env].
func (x *Executor) TakeScratch() structure.Scratch {
	s := x.scratch
	x.Account.Give(s.Size())
	x.scratch = structure.Scratch{}
	return s
}
