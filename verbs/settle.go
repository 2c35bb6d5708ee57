package verbs

import "bytes"

// settle has the structure under key take little room in its head again, if it
// takes more than limit: Stored if it does not, Missing if there is none, or
// Failed.
//
// What else this proxy would append meanwhile is held back. So if all whom the
// length of the head has been told come here, nobody appends any more and the
// first of them succeeds.
func (c *engine) settle(key []byte, limit int) Reply {
	p := plan{engine: c, key: key, limit: limit}
	c.env.Hold(key, true)
	defer c.env.Hold(key, false)
	return p.carryOut(func(head Reply) bool { return len(head.Data) > limit })
}

// carryOut rewrites the structure for as long as there is need.
func (p *plan) carryOut(need func(head Reply) bool) Reply {
	for range maxTries {
		r := p.ask(Op{Kind: Fetch, Key: p.key})
		if r.Status != Hit {
			return r
		}
		if !need(r) {
			return Reply{Status: Stored}
		}
		ch, r := p.rewrite(bytes.Clone(r.Data), nil)
		switch {
		case ch != nil:
			r = p.commit(p.key, ch)
		case r.Status == Missing:
			r = p.recheck(p.key)
		}
		if r.Status != Exists {
			return r
		}
	}
	return contended(p.key)
}

// recheck is called when a part of a structure was missing: Exists if it has
// changed or is gone, so that a new try makes sense.
func (c *engine) recheck(key []byte) Reply {
	if s := c.loadOne(key, counted); s.reply.Status == Failed {
		return s.reply
	}
	return Reply{Status: Exists}
}
