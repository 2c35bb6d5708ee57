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

// AwaitTurn waits for the call's turn to send a batch of n reads of parts of its structure, each of which is
// answered with about so many bytes, or with an unknown number if each is negative. While there are many under
// way to an upstream, others' requests would have to wait for more. The batch has to be the next that the call
// asks for, and is prepared after the turn has come, so that those that wait take little memory. The last
// replies are invalid afterwards.
func (c *Call) AwaitTurn(n, each int) {
	if c.awaits > 0 { // first it needs room, and others must not wait for that
		return
	}
	c.local = append(c.local[:0], Op{Kind: Turn, Key: c.Key, Number: uint64(n), Bytes: each})
	c.yieldLocal()
}
