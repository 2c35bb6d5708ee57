package structure

// How the engine stays with its routine, see [verbs.Keeper].

// Unload implements [verbs.Keeper].
func (e *Engine) Unload() {
	e.passLead()
	e.loader.drop()
}

// Release implements [verbs.Keeper]. It also ends a decision that was begun without a coroutine: the
// call stops waiting, ignores the reply to its append, and makes the next call the leader.
func (e *Engine) Release() {
	e.passLead()
	e.endLoans()
}

// Trim implements [verbs.Keeper].
func (e *Engine) Trim(keep int) {
	e.folds.trim(keep, e.loader.trim(keep))
}

// Kept implements [verbs.Keeper].
func (e *Engine) Kept() int {
	return e.loader.kept() + e.folds.kept()
}
