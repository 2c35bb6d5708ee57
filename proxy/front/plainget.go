package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// plainGet is the sink of a gets that is sent in place of a mg, because the pool is read-only. A mg
// of a stale item would win its recache token (flag W), and no other client would store the item
// anew.
type plainGet struct {
	client *Client
	asked  protocol.Request // the mg, without its key
	key    []byte           // as its client has it
}

// asksPlainly returns a gets to send in place of req, a mg, and changes p accordingly. The gets is
// valid until the next call.
func (c *Client) asksPlainly(req *protocol.Request, p *upstream.Pending) *protocol.Request {
	g := &plainGet{client: c, asked: req.Detached(), key: append(bytes.Clone(req.Prefix), req.Key...)}
	p.Sink, p.Command, p.Quiet, p.Keys = g, protocol.Gets, false, 1
	c.loop.scratch.plain.SetRetrieval(protocol.Gets, req.Key, 1, true)
	return &c.loop.scratch.plain
}

// Answered implements [upstream.Sink].
func (g *plainGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	if !a.IsError() {
		var value protocol.Reply
		found := &value
		if n, _, err := protocol.ParseReply(a.Data, found); n == 0 || err != nil || found.Kind != protocol.ReplyValue {
			found = nil
		}
		*a = upstream.Answer{Data: g.asked.AppendPlain(nil, found, g.key), Last: a.Last}
	}
	p.Command, p.Quiet = protocol.MetaGet, g.asked.Quiet
	g.client.Answered(p, a)
	p.Command, p.Quiet = protocol.Gets, false // as it was sent
}
