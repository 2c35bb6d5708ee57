package verbs

// Nearly all calls that change a set are one append. They are carried out
// without the coroutine, as to switch to it and back takes longer than all else,
// and its stack pushes something out of the processor's cache. If it turns out
// that there is more to do, the verb begins in earnest.

// direct returns the append that the call is likely to be done with, nothing if
// there is more to it from the start.
func (c *Call) direct() []Op {
	if c.verb.direct == nil || len(c.words) > c.pace.slice { // to encode them may take long
		return nil
	}
	op, ok := c.verb.direct(c)
	if !ok {
		c.buf = c.buf[:0]
		return nil
	}
	c.Trips++
	c.ops = append(c.ops[:0], op)
	return c.ops
}

// directly takes the reply to the append that direct returned. If that was all,
// it returns nil, and otherwise how the call goes on.
func (c *Call) directly(r Reply) func(*Call) {
	switch r.Status {
	case Stored:
		c.say("STORED")
		c.grown, c.size = r.Grown, r.Size
		return c.verb.after(c)
	case NotStored: // because there is no item, or it is full
		c.known, c.buf = c.ops[0].Kind, c.buf[:0]
		return c.verb.run
	default:
		c.fail(r)
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
