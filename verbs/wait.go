package verbs

// Some calls of one event loop wait for each other: one of them does what others need
// too, and they go on when it has done so.

// Waiter is who waits for another call of the same loop.
type Waiter struct {
	// Wake has the call go on. Whoever runs the routines sets it when they are asked to
	// [Wait]; it must not resume the routine at once, as another is at work.
	Wake func()
}

// Wait waits for another call of the same loop, which is to wake w. What was read last is
// not valid any more.
func (c *Call) Wait(w *Waiter) {
	c.local = append(c.local[:0], Op{Kind: Wait, Waiter: w})
	c.yieldLocal()
}
