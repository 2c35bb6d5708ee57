package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A get that an upstream has not answered, because it failed or the get timed out, is sent to the
// spare pool, as all later ones are.

// getFromSpare sends a get that its upstream has not answered to the spare pool. It returns false if
// that is not possible.
func (c *Client) getFromSpare(p *upstream.Pending, a *upstream.Answer) bool {
	if p.Loss != upstream.LossSpares || c.replies.HasBegun(p.Slot) {
		return false
	}
	key, _ := protocol.NextWord(a.Asked)
	from := c.routing.PoolOf(a.By)
	if from == nil || from.Spare == nil {
		return false
	}
	u := from.Spare.Owner(key)
	if u.State != upstream.Up {
		return false
	}
	again := *p
	again.Loss = upstream.LossRefuses
	var req protocol.Request
	req.SetRetrieval(protocol.Get, key, 1, true)
	u.Connection(c.lane.bulk).Request(&req, &again)
	return true
}

// askSpare asks the spare pool for the keys of the upstream with index lost in g.replies, which has not
// answered. It returns false if that is not possible. In g.replies, the replies of the spare pool come
// after those of verbs.
func (g *gather) askSpare(lost uint32) bool {
	if g.command != protocol.Get || g.client.gone() || g.refusal != nil || int(lost) >= len(g.routing.Asked) {
		return false
	}
	from := g.routing.PoolOf(g.routing.Asked[lost].Remote)
	if from == nil || from.Spare == nil {
		return false
	}
	for _, u := range from.Spare.All {
		if u.State != upstream.Up {
			return false
		}
	}
	g.client.replies.gathering -= g.replies[lost].size
	g.replies[lost].drop(&g.loop.Buffers.Pool)
	more := g.asksMore()
	for i, key := range g.eachKey() {
		if w := &g.wanted[i]; w.owner == uint16(lost) {
			stored := key[g.routing.Cut(key):]
			w.owner = more.add(from.Spare.Owner(stored), stored)
		}
	}
	more.send(&g.client.lane.Lane)
	return true
}
