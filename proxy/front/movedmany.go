package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Each key of a retrieval that moves is asked for by a call of its own.

// askMoved adds a key of a retrieval to those that are asked for by calls, if it moves. It returns the index of its reply, which sink
// gets, and why the retrieval is to be refused, if it is.
func (p *spacedParts) askMoved(l *Loop, req *protocol.Request, key []byte, to route.Target, sink upstream.Sink) (owner uint16, refusal string, is bool) {
	phase, _, underWay := to.Phase()
	switch {
	case !underWay:
		return 0, "", false
	case to.Owner.State != upstream.Up && to.Pool.Shared.OnDown == config.Miss:
		return nearOwner, "", true
	case to.Owner.State != upstream.Up:
		return nearOwner, string(to.Owner.Refuse()), true
	case len(p.calls) >= mostSpaced:
		return nearOwner, "CLIENT_ERROR too many of the keys move to other servers; ask for fewer at once\r\n", true
	}
	var one protocol.Request
	one.SetRetrieval(req.Command, to.Stored(key), 1, true)
	one.Exptime = req.Exptime
	m := l.newMovedCall(to, &one, phase)
	m.shown = bytes.Clone(key)
	owner = uint16(firstSpaced + len(p.calls))
	kind := tally.Of(req)
	pending := upstream.Pending{Sink: sink, Slot: uint32(owner), Command: req.Command, Keys: 1}
	m.then = func(a moving.Answer, data []byte, last protocol.ReplyKind) {
		answer := movedAnswer(a, bytes.TrimSuffix(data, []byte(endOfValues)), last)
		if answer.Outcome == upstream.Replied {
			m.count(kind, a, data)
		} else if to.Pool.Shared.OnDown == config.Miss {
			answer = &upstream.Answer{Last: &protocol.Reply{Kind: protocol.ReplyEnd}}
		}
		sink.Answered(&pending, answer)
	}
	to.Pool.Stats.Verbs.Pool[status.MovingRequests]++
	p.calls, p.owners, p.replies, p.moved = append(p.calls, nil), append(p.owners, to.Owner), append(p.replies, gathered{}), append(p.moved, m)
	return owner, "", true
}

// unconfirmed reports whether a retrieval may not change its keys, as one of them moves while it is not known how far other proxies are.
func (c *Client) unconfirmed(req *protocol.Request) bool {
	for key := range protocol.Words(req.Words) {
		to := c.routing.Target(key)
		if _, confirmed, underWay := to.Phase(); underWay && !confirmed {
			return true
		}
	}
	return false
}

// beginMoved begins the calls on keys that move.
func (p *spacedParts) beginMoved() {
	for i, m := range p.moved {
		p.moved[i] = nil
		kind, _ := moving.KindOf(&m.req)
		m.begin(kind)
	}
	p.moved = p.moved[:0]
}
