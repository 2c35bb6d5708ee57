package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// Settle has the structure under key take little room in its head again, if it
// takes more than limit: Stored if it does not, Missing if there is none, or
// Failed.
//
// What else this proxy would append meanwhile is held back. So if all whom the
// length of the head has been told come here, nobody appends any more and the
// first of them succeeds.
func (c *Engine) Settle(key []byte, limit int) verbs.Reply {
	p := plan{Engine: c, key: key, limit: limit}
	c.env.Hold(key, true)
	defer c.env.Hold(key, false)
	return p.carryOut(func(head verbs.Reply) bool { return len(head.Data) > limit })
}

// carryOut rewrites the structure for as long as there is need.
func (p *plan) carryOut(need func(head verbs.Reply) bool) verbs.Reply {
	for range verbs.MaxTries {
		r := p.Ask(verbs.Op{Kind: verbs.Fetch, Key: p.key})
		if r.Status != verbs.Hit {
			return r
		}
		if !need(r) {
			return verbs.Reply{Status: verbs.Stored}
		}
		ch, r := p.rewrite(bytes.Clone(r.Data), nil)
		switch {
		case ch != nil:
			r = p.commit(p.key, ch)
		case r.Status == verbs.Missing:
			r = p.recheck(p.key)
		}
		if r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Contended(p.key)
}

// recheck is called when a part of a structure was missing: Exists if it has
// changed or is gone, so that a new try makes sense.
func (c *Engine) recheck(key []byte) verbs.Reply {
	if s := c.LoadOne(key, Counted); s.Reply.Status == verbs.Failed {
		return s.Reply
	}
	return verbs.Reply{Status: verbs.Exists}
}
