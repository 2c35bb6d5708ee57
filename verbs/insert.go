package verbs

import "bytes"

// insert makes a change that is too large to be appended.
func (c *engine) insert(tokens []byte, create bool) {
	tokens = bytes.Clone(tokens)
	c.env.Hold(c.key, true)
	defer c.env.Hold(c.key, false)
	for range commitTries {
		r := c.ask(Op{Kind: Fetch, Key: c.key})
		switch {
		case r.Status == Hit:
			r = c.insertInto(r, tokens)
		case r.Status == Missing && create:
			r = c.insertNew(tokens)
		case r.Status == Missing:
			c.say("NOT_FOUND")
			return
		}
		switch r.Status {
		case Stored:
			c.say("STORED")
			return
		case Exists, NotStored, Missing:
		default:
			c.fail(r)
			return
		}
	}
	c.fail(contended(c.key))
}

// insertNew creates the structure.
func (c *engine) insertNew(tokens []byte) Reply {
	p := plan{engine: c, key: c.key, limit: c.headLimit(c.key)}
	ch, r := p.rewrite([]byte{}, tokens)
	if ch == nil {
		return r
	}
	r = c.ask(Op{Kind: Add, Key: c.key, Data: ch.new, Exptime: c.exptime})
	if r.Status == NotStored {
		c.remove(c.key, ch.written)
	}
	return r
}

// insertInto changes the structure whose head is r: what the head holds, with
// the change, becomes a segment. The head is swapped as a whole, since what
// others append meanwhile may have been seen without the change, and must not
// come before it.
func (c *engine) insertInto(r Reply, tokens []byte) Reply {
	if !r.swappable() {
		return unswappable(c.key)
	}
	r.Data = bytes.Clone(r.Data)
	p := plan{engine: c, key: c.key, limit: c.headLimit(c.key)}
	ch, bad := p.rewrite(r.Data, tokens)
	switch {
	case ch == nil && bad.Status == Missing:
		return c.recheck(c.key)
	case ch == nil:
		return bad
	}
	if r = c.swapIn(c.key, ch, r); r.Status == Exists {
		c.remove(c.key, ch.written)
	}
	return r
}
