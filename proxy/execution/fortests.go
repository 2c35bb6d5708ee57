package execution

// Paused returns the number of a paused verb, in the order in which verbs began; 0 if no
// verb has paused. Tests use it.
func (x *Executor) Paused() (number uint64) {
	for i := range x.turns.queue.len() {
		number = x.turns.queue.at(i).number
	}
	return number
}

// Kept returns how many bytes are kept for reuse. Tests use it.
func (x *Executor) Kept() int { return x.idle.kept + x.env.scratch.Size() }

// CloseIdle frees the routines kept for reuse. Tests use it.
func (x *Executor) CloseIdle() { x.idle.close() }
