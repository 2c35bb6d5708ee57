package execution

// Paused returns the number of a verb that has paused, in the order in which verbs began; 0
// if none has. Tests use it.
func (x *Executor) Paused() (number uint64) {
	for _, c := range x.turns.queue {
		number = c.paused[0].number
	}
	return number
}
