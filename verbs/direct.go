package verbs

import "bytes"

// Nearly all calls that change a structure are one append. They run without the
// coroutine, because switching to it and back would take longer than everything else,
// and its stack would displace other data from the processor's cache. If the append
// turns out not to suffice, the verb's Run starts on the coroutine and is given the
// reply to that append.

// direct returns the single append that is probably all the call needs, nil if it
// certainly needs more.
func (c *Call) direct() []Op {
	if c.verb.Direct == nil || len(c.Words) > c.Pace.Slice { // encoding them may take long
		return nil
	}
	op, ok := c.verb.Direct(c)
	if !ok {
		c.Buf = c.Buf[:0]
		return nil
	}
	c.Trips++
	c.Ops = append(c.Ops[:0], op)
	return c.Ops
}

// directly handles the reply to the append of direct. It returns the rest of the call,
// nil if there is none.
func (c *Call) directly(r Reply) func(*Call) {
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
