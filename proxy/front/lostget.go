package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
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
	to := u.Connection(c.lane.bulk)
	request := append(append(to.Out().Room(len(key)+protocol.MaxLine), "get "...), key...)
	to.Out().Extend(append(request, lineEnd...))
	to.Expected.Extend(append(to.Expected.Text(), key...))
	to.Push(&again)
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
	for _, u := range from.Spare.All {
		g.askSpareOf(u, from.Spare, uint16(lost))
	}
	return true
}

// askSpareOf asks u, an upstream of the spare pool, for the keys that it owns there.
func (g *gather) askSpareOf(u *pool.Member, spare *route.Pool, lost uint16) {
	index, key := len(g.replies), g.keys
	for i := range g.wanted {
		w := &g.wanted[i]
		rest := key[w.length:]
		key = key[:w.length]
		if stored := key[g.routing.Cut(key):]; w.owner == lost && spare.Owner(stored) == u {
			if w.owner = uint16(index); index == len(g.replies) {
				g.replies = append(g.replies, gathered{})
			}
			g.request(u, &g.replies[index], &protocol.Request{Command: g.command}, stored)
		}
		key = rest
	}
	if index == len(g.replies) {
		return
	}
	to := u.Connection(g.client.lane.bulk)
	to.Out().Write(lineEnd)
	to.Push(&upstream.Pending{Sink: g, Lane: &g.client.lane.Lane, Slot: uint32(index), Command: g.command, Tally: tally.Get, Keys: uint16(g.replies[index].keys)})
	g.waiting++
}
