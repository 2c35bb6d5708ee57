package verbs

// Some calls of one event loop wait for another one, which does the work for all of
// them.

// Waiter is a call that waits for another one of the same event loop.
type Waiter struct {
	// Wake resumes the call. The driver of the routine sets it when it carries out
	// [Wait]. It must not resume the routine at once, because another routine is
	// running.
	Wake func()
}

// Wait waits until another call of the same event loop wakes w. The last replies are
// invalid afterwards.
func (c *Call) Wait(w *Waiter) {
	c.local = append(c.local[:0], Op{Kind: Wait, Waiter: w})
	c.yieldLocal()
}
