package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// moreAsked are the upstreams that a gather asks for some of its keys once the first replies have arrived. Their replies come after
// those of the upstreams and of the verbs.
type moreAsked struct {
	gather *gather
	slots  map[*pool.Member]uint16 // the indexes of their replies
}

// asksMore begins to ask for keys.
func (g *gather) asksMore() moreAsked { return moreAsked{g, map[*pool.Member]uint16{}} }

// add adds a key, as it is stored, to the request for u. It returns the index of the reply.
func (m moreAsked) add(u *pool.Member, stored []byte) (slot uint16) {
	g := m.gather
	slot, asked := m.slots[u]
	if !asked {
		slot = uint16(len(g.replies))
		m.slots[u], g.replies = slot, append(g.replies, gathered{})
	}
	g.request(u, &g.replies[slot], &protocol.Request{Command: g.command}, stored)
	return slot
}

// send ends the requests. lane counts them, nil if nothing has to wait for them.
func (m moreAsked) send(lane *upstream.Lane) {
	g := m.gather
	for u, slot := range m.slots {
		to := u.Connection(g.client.lane.bulk)
		to.Out().Write(lineEnd)
		to.Push(&upstream.Pending{Sink: g, Lane: lane, Slot: uint32(slot), Command: g.command, Tally: tally.Get, Keys: uint16(g.replies[slot].keys)})
		g.waiting++
	}
}
