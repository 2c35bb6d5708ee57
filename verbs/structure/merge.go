package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// leaseTime is how long a merge may take, in seconds, before another may begin. Two
// merges at once are harmless, only wasteful.
const leaseTime = 10

// merge folds the last segments of a structure into one if they have become similar in
// size, so that the number of segments stays logarithmic in the structure's size. It
// can take long, so no client waits for it, and a lease keeps others from doing the
// same work.
func (c *Engine) merge(key []byte) {
	r := c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
	h, ok := parseHead(r.Data)
	if r.Status != verbs.Hit || !ok {
		return
	}
	if !h.mergeable() {
		c.refreshWritten(key, r)
		return
	}
	h, _ = parseHead(bytes.Clone(h.pointers))
	lease := append(verbs.AppendPartPrefix(nil, key), "lease"...)
	if c.Ask(verbs.Op{Kind: verbs.Add, Key: lease, Of: key, Exptime: leaseTime}).Status != verbs.Stored {
		return
	}
	p := plan{Engine: c, key: key, limit: c.HeadLimit(key)}
	ch, bad := p.merge(h)
	for tries := 1; tries < verbs.MaxTries && bad.Status == verbs.Exists; tries++ {
		ch, bad = p.merge(h)
	}
	if ch != nil {
		c.hold(key, true)
		defer c.hold(key, false)
		c.commit(key, ch)
	}
	c.Ask(verbs.Op{Kind: verbs.Delete, Key: lease, Of: key})
}
