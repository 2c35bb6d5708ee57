package verbs

import "bytes"

// Nearly all calls that change a structure are one append, and many others are one round trip,
// see [Verb.Direct] and [Verb.Begin]. They run without the coroutine, because switching to it and
// back would take longer than everything else, and its stack would displace other data from the
// processor's cache. If that turns out not to suffice, the verb's Run starts on the coroutine. It
// is given the reply to the append, since that had an effect or may have had one.

// direct returns the operations of the first round trip without the coroutine; none if the call
// certainly needs one.
func (c *Call) direct() (ops []Op) {
	defer func() { c.endPanic(recover()) }()
	if len(c.Words) > c.Pace.Slice { // encoding them may take long
		return nil
	}
	if c.verb.Direct != nil {
		if op, ok := c.verb.Direct(c); ok {
			c.Trips++
			c.Ops = append(c.Ops[:0], op)
			return c.Ops
		}
		c.Buf = c.Buf[:0]
	}
	if c.verb.Begin != nil {
		if ops = c.verb.Begin(c); len(ops) > 0 {
			c.begin(ops)
		}
	}
	return ops
}

// begin notes that the call waits for ops, of Begin or Finish of the verb.
func (c *Call) begin(ops []Op) {
	if c.begun = true; !ops[0].Local() {
		c.Trips++
	}
}

// directly handles the replies to what direct has returned, or directly itself.
func (c *Call) directly(replies []Reply) (next Next) {
	defer func() {
		if err := recover(); err != nil {
			c.giveBack()
			c.endPanic(err)
			next = Next{}
		}
	}()
	if c.begun {
		c.begun = false
		if next = c.verb.Finish(c, replies); len(next.Ops) > 0 {
			c.begin(next.Ops)
		}
		return next
	}
	return Next{Run: c.appended(replies[0])}
}

// appended is directly for an append.
func (c *Call) appended(r Reply) func(*Call) {
	switch r.Status {
	case Stored:
		c.Say("STORED")
		c.Grown, c.Size = r.Grown, r.Size
		return c.verb.After(c)
	case NotStored: // there is no item, or it is full
		c.known, c.knownKey, c.Buf = c.Ops[0].Kind, bytes.Clone(c.Ops[0].Key), c.Buf[:0]
		return c.verb.Run
	default:
		c.Fail(r)
	}
	return nil
}

// knows reports whether ops is the append that direct has sent, whose reply is in
// c.replies already. If Run begins with another operation, because the upstream's
// version has changed or time has passed, that one is sent: the append had no effect.
func (c *Call) knows(ops []Op) bool {
	known, key := c.known, c.knownKey
	c.known, c.knownKey = Fetch, nil
	return known != Fetch && len(ops) == 1 && ops[0].Kind == known && bytes.Equal(ops[0].Key, key)
}
