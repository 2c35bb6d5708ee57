package verbs

import "bytes"

// leaseTime is how long a merge may take, in seconds, before somebody else may
// begin one. It bounds no harm, only work done twice.
const leaseTime = 10

// merge folds together the last segments of a structure if they have become
// similar in size, so that there are never more than the logarithm of its size.
// That can take long, so nobody waits for it, and one merges at a time.
func (c *engine) merge(key []byte) {
	r := c.ask(Op{Kind: Fetch, Key: key})
	h, ok := parseHead(r.Data)
	if r.Status != Hit || !ok || !h.mergeable() {
		return
	}
	h, _ = parseHead(bytes.Clone(h.pointers))
	lease := append(AppendPartPrefix(nil, key), "lease"...)
	if c.ask(Op{Kind: Add, Key: lease, Of: key, Exptime: leaseTime}).Status != Stored {
		return
	}
	p := plan{engine: c, key: key, limit: c.headLimit(key)}
	ch, bad := p.merge(h)
	for tries := 1; tries < maxTries && bad.Status == Exists; tries++ {
		ch, bad = p.merge(h)
	}
	if ch != nil {
		c.env.Hold(key, true)
		defer c.env.Hold(key, false)
		c.commit(key, ch)
	}
	c.ask(Op{Kind: Delete, Key: lease, Of: key})
}
