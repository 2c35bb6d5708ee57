package structure

import "github.com/memverbs/memverbs/verbs"

// How the engine stays with its routine, see [verbs.Keeper].

// Unload implements [verbs.Keeper].
func (e *Engine) Unload() {
	e.passLead()
	e.drop()
}

// Release implements [verbs.Keeper]. It also ends a decision that was begun without a coroutine: the
// call stops waiting, ignores the reply to its append, and makes the next call the leader.
func (e *Engine) Release() {
	e.passLead()
	e.endLoans()
}

// Trim implements [verbs.Keeper].
func (e *Engine) Trim(keep int) {
	e.loaded = 0
	log := e.log
	for _, b := range []*[]byte{&e.first, &e.log} {
		if cap(*b) > keep {
			*b = nil
		}
	}
	for _, of := range e.folds {
		if of.fold.Kept() > max(keep, verbs.MuchMemory) {
			e.scratch.kindFold = of
			if e.log == nil {
				e.scratch.log = log[:0]
			}
			e.keepScratch()
			break
		}
	}
	e.scratch = Scratch{}
	for i := range e.folds {
		e.folds[i].fold.Trim(keep)
	}
	clear(e.List[:cap(e.List)])
}

// Kept implements [verbs.Keeper].
func (e *Engine) Kept() int {
	kept := cap(e.first) + cap(e.log)
	for i := range e.folds {
		kept += e.folds[i].fold.Kept()
	}
	return kept
}
