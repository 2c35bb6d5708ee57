package execution

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// maxIdle is how many idle routines a loop keeps.
const maxIdle = 1024

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
		x.countKept(-r.kept)
		return r
	}
	return &Execution{executor: x, routine: verbs.NewRoutine(x)}
}

// keepIdle keeps r for a later verb.
func (x *Executor) keepIdle(r *Execution) {
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
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	kept := 0
	for _, r := range x.idle {
		kept += r.kept
	}
	x.countKept(kept - x.kept)
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
