package verbs

// Nearly all calls that change a structure are one append. They are carried out
// without the coroutine, as to switch to it and back takes longer than all else,
// and its stack pushes something out of the processor's cache. If it turns out
// that there is more to do, the verb begins in earnest.

// direct returns the append that the call is likely to be done with, nothing if
// there is more to it from the start.
func (c *Call) direct() []Op {
	if c.verb.Direct == nil || len(c.Words) > c.Pace.Slice { // to encode them may take long
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

// directly takes the reply to the append that direct returned. If that was all,
// it returns nil, and otherwise how the call goes on.
func (c *Call) directly(r Reply) func(*Call) {
	switch r.Status {
	case Stored:
		c.Say("STORED")
		c.Grown, c.Size = r.Grown, r.Size
		return c.verb.After(c)
	case NotStored: // because there is no item, or it is full
		c.known, c.Buf = c.Ops[0].Kind, c.Buf[:0]
		return c.verb.Run
	default:
		c.Fail(r)
	}
	return nil
}

// knows reports whether the reply to ops is there already. If the call asks for
// something else now, since the upstream is another, it does so in earnest: what
// it has asked for was not done.
func (c *Call) knows(ops []Op) bool {
	known := c.known
	c.known = Fetch
	return known != Fetch && len(ops) == 1 && ops[0].Kind == known
}
