package upstream

import "github.com/memverbs/memverbs/proxy/transport"

// Batch is the connections of an event loop with requests that have not been dispatched.
type Batch struct{ touched []*Connection }

// HasToDispatch reports whether Dispatch has work to do.
func (b *Batch) HasToDispatch() bool { return len(b.touched) > 0 }

// Dispatch is called at the end of a callback. For each connection it writes the
// callback's requests or leaves them to the batch at the end of the loop's turn.
func (b *Batch) Dispatch() {
	for _, c := range b.touched {
		c.touched = false
		c.dispatch()
	}
	b.touched = b.touched[:0]
}

// dispatch decides, at the end of a callback, when to write the callback's requests: usually at the
// end of the loop's turn, in a batch with requests from other sockets that are readable now. They
// are written at once if they are large, or if nothing is in flight and the previous batch came
// from a single callback, so that waiting would probably gain nothing.
func (c *Connection) dispatch() {
	switch {
	case c.conn == nil:
	case !c.inFlight() && c.lastCallbacks <= 1, c.conn.Out.Size() >= transport.OwnBuffer:
		c.conn.Send()
	default:
		c.callbacks++
		c.env.Net.AwaitEndOfTurn()
	}
}

// onEndOfTurn writes the batch.
func (c *Connection) onEndOfTurn() {
	if c.callbacks == 0 {
		return
	}
	if c.conn != nil {
		c.conn.Send()
	}
	c.lastCallbacks, c.callbacks = c.callbacks, 0
}

// inFlight reports whether a request has been written and not answered.
func (c *Connection) inFlight() bool {
	return c.pending.len() > 0 && !c.Written().Before(c.pending.front().end)
}
