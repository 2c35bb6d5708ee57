package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// While a key moves to another upstream (package moving), a request on it takes several operations, on both upstreams. So the client's
// next requests on the key wait, as they do for keys with copies.

// sendMoved carries out a request on a key that moves. It returns false if the key does not move any more, so that the request is for
// its owner alone. p says how it is answered.
func (c *Client) sendMoved(req *protocol.Request, to route.Target, p *upstream.Pending) bool {
	phase, confirmed, underWay := to.Phase()
	kind, refusal := moving.KindOf(req)
	switch {
	case !underWay, req.Command == protocol.MetaDebug:
		return false
	case !confirmed && kind != moving.Get && kind != moving.Gets:
		refusal = wire.Unconfirmed
	case !c.loop.hasMemory(len(req.Data)):
		refusal = "SERVER_ERROR out of memory storing object"
	}
	answers := *p
	if answers.Loss == upstream.LossSpares {
		answers.Loss = upstream.LossRefuses
	}
	if refusal != "" {
		answers.Sink.Answered(&answers, &upstream.Answer{Outcome: upstream.Refused, Data: []byte(refusal + "\r\n")})
		return true
	}
	m := c.loop.newMovedCall(to, req, phase)
	d := c.useCopied()
	count, hash := &d.changes, hashOfCopied(req.Prefix, req.Key)
	if kind == moving.Get || kind == moving.Gets {
		count = &d.reads
	}
	d.begins(count, hash)
	m.then = func(a moving.Answer, data []byte, kind protocol.ReplyKind) {
		answer := movedAnswer(a, data, kind)
		if answer.Outcome == upstream.Lost && answers.Loss == upstream.LossMisses && m.req.Command == protocol.MetaGet {
			answer.Asked = m.req.Asked(nil)
		}
		if answers.Sent = c.loop.timing.Stamp(); answer.Outcome == upstream.Replied {
			m.count(answers.Tally, a, data)
		} else if m.req.Overwrites() {
			m.remember()
		}
		answers.Tally = tally.Uncounted
		d.ends(count, hash)
		answers.Sink.Answered(&answers, answer)
		c.Progress()
	}
	m.pool.Stats.Verbs.Pool[status.MovingRequests]++
	m.begin(kind)
	return true
}
