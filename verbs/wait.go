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

// Wait waits until another call of the same event loop wakes w. If the routine is closed before that, it calls closed.
// The last replies are invalid afterwards.
func (c *Call) Wait(w *Waiter, closed func()) {
	woken := false
	defer func() {
		if !woken {
			closed()
		}
	}()
	c.local = append(c.local[:0], Op{Kind: Wait, Waiter: w})
	c.yieldLocal()
	woken = true
}

// AwaitBatch waits until the call may send a batch of n reads of parts of its structure. Each read is answered
// with about each bytes, or with an unknown number if each is negative. Batches are limited because other
// requests to the upstream wait behind them. The batch must be the next that the call asks for. Prepare it
// only after AwaitBatch, so that waiting calls take little memory. The last replies are invalid afterwards.
func (c *Call) AwaitBatch(n, each int) {
	if c.reserved.awaits > 0 { // wait for memory first, or other batches would have to wait until there is some
		return
	}
	c.local = append(c.local[:0], Op{Kind: BatchSlot, Key: c.Key, Number: uint64(n), Bytes: each})
	c.yieldLocal()
}
