package upstream

// HasRoom reports whether less is in flight than the limits divided by part: by 1 for
// the whole limits, by 2 for half of them. The connection must be open.
func (c *Connection) HasRoom(part int) bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() < most.queued/part && c.pending.len() < most.pending/part && c.Expected.len() < most.expected/part
}

// Overfull reports whether twice as much is in flight as the limits allow, or more.
func (c *Connection) Overfull() bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() >= 2*most.queued || c.pending.len() >= 2*most.pending || c.Expected.len() >= 2*most.expected
}

// account updates the account with the memory of pending requests.
func (c *Connection) account() {
	if n := cap(c.Expected.text) + len(c.pending.ring)*pendingSize; n != c.kept {
		c.env.Pool.Account.Recount(&c.kept, n)
	}
}

// Memory returns the memory of pending requests, in bytes.
func (c *Connection) Memory() int { return c.kept }
