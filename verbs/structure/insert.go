package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// insert makes a change that is too large to append, and answers the client. create
// says whether to create a missing structure. Each makes a segment, which may be too long for
// settling to fold, so merging is considered after each.
func (c *Engine) insert(tokens []byte, create bool) {
	if c.inserted(tokens, create) {
		c.merge(c.Key)
	}
}

// inserted makes such a change, answers the client, and reports whether it was made.
func (c *Engine) inserted(tokens []byte, create bool) bool {
	tokens = bytes.Clone(tokens)
	c.hold(c.Key, true)
	defer c.hold(c.Key, false)
	for range CommitTries {
		r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: c.Key})
		switch h, _ := parseHead(r.Data); {
		case r.Status == verbs.Hit && create && c.noteRoom(c.Key, h.segments, r.Size):
			r = c.NoRoom(c.Key, len(tokens))
		case r.Status == verbs.Hit:
			r = c.insertInto(r, tokens)
		case r.Status == verbs.Missing && create:
			r = c.insertNew(tokens)
		case r.Status == verbs.Missing:
			c.Say("NOT_FOUND")
			return false
		}
		switch r.Status {
		case verbs.Stored:
			c.Say("STORED")
			return true
		case verbs.Exists, verbs.NotStored, verbs.Missing:
		default:
			c.Fail(r)
			return false
		}
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
	return false
}

// insertNew creates the structure.
func (c *Engine) insertNew(tokens []byte) verbs.Reply {
	p := plan{Engine: c, key: c.Key, limit: c.HeadLimit(c.Key)}
	ch, r := p.rewrite([]byte{}, tokens)
	if ch == nil {
		return r
	}
	r = c.Ask(verbs.Op{Kind: verbs.Add, Key: c.Key, Data: ch.new, Exptime: c.Exptime})
	if r.Status == verbs.NotStored {
		c.remove(c.Key, ch.written)
	}
	return r
}

// insertInto changes the structure whose head r has read: the head's tokens and the
// change become a segment. The swap fails if anything was appended since: clients may
// have seen those tokens without the change, so the change must not come before them.
func (c *Engine) insertInto(r verbs.Reply, tokens []byte) verbs.Reply {
	if !r.Swappable() {
		return unswappable(c.Shown(c.Key))
	}
	r.Data = bytes.Clone(r.Data)
	p := plan{Engine: c, key: c.Key, limit: c.HeadLimit(c.Key)}
	ch, bad := p.rewrite(r.Data, tokens)
	switch {
	case ch == nil && bad.Status == verbs.Missing:
		return c.recheck(c.Key)
	case ch == nil:
		return bad
	}
	if r = c.swapIn(c.Key, ch, r); r.Status == verbs.Exists {
		c.remove(c.Key, ch.written)
	}
	return r
}
