package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// plainGet is the sink of a gets that is sent in place of a mg, because the pool is read-only. A mg
// of a stale item would win its recache token (flag W), and no other client would store the item
// anew.
type plainGet struct {
	client *Client
	asked  protocol.Request // the mg, with its key as its client has it
}

// asksPlainly returns a gets to send in place of req, a mg, and changes p accordingly. The gets is
// valid until the next call.
func (c *Client) asksPlainly(req *protocol.Request, p *upstream.Pending) *protocol.Request {
	g := &plainGet{client: c, asked: req.Detached()}
	g.asked.Key = append(bytes.Clone(req.Prefix), req.Key...)
	p.Sink, p.Command, p.Quiet, p.Keys = g, protocol.Gets, false, 1
	c.loop.scratch.plain.SetRetrieval(protocol.Gets, req.Key, 1, true)
	return &c.loop.scratch.plain
}

// Answered implements [upstream.Sink].
func (g *plainGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	if !a.IsError() {
		var value protocol.Reply
		answer := moving.Misses
		if n, _, err := protocol.ParseReply(a.Data, &value); n > 0 && err == nil && value.Kind == protocol.ReplyValue {
			answer = moving.Shows
		}
		item := wire.ItemIn(&value)
		*a = upstream.Answer{Data: wire.Append(nil, &g.asked, answer, &item, a.Last), Last: a.Last}
	}
	p.Command, p.Quiet = protocol.MetaGet, g.asked.Quiet
	g.client.Answered(p, a)
	p.Command, p.Quiet = protocol.Gets, false // as it was sent
}
