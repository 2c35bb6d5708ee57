package front

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// dispatchFlush sends flush_all to every upstream. While keys move, it is sent twice, as an item that was under way from one upstream to
// another could have come to a flushed one from one that was not flushed yet. The client's next requests wait for the second flush, which would
// delete what they store.
func (c *Client) dispatchFlush(req *protocol.Request) {
	asked := slices.Concat(c.routing.Members, c.routing.Leaving)
	b := &broadcast{client: c, quiet: req.Quiet, asked: asked, kept: c.routing.Kept}
	if c.routing.Moves {
		b.again = &protocol.Request{}
		req.CloneTo(b.again, nil)
		c.lane.flushes = true
	}
	for _, kept := range b.kept {
		kept.BeginAll()
	}
	if !b.quiet {
		b.slot = c.replies.Reserve(0, nil)
	}
	b.ask(req)
}

// ask sends the request to every upstream.
func (b *broadcast) ask(req *protocol.Request) {
	b.waiting = len(b.asked)
	b.rounds++
	for i, u := range b.asked {
		if u.State != upstream.Up {
			u.RememberFlush(req.Exptime)
			b.arrived(u.Refuse(), true)
			continue
		}
		u.First.Request(req, &upstream.Pending{Sink: b, Lane: &b.client.lane.Lane, Slot: uint32(i), Command: protocol.FlushAll, Loss: upstream.LossOutdates})
	}
}

// broadcast is a request that is sent to every upstream.
type broadcast struct {
	client  *Client
	slot    uint32
	quiet   bool
	asked   []*pool.Member // by the slots of what they are sent
	waiting int
	again   *protocol.Request // the request, if it is sent twice; nil otherwise
	rounds  int               // how often it was sent
	refusal []byte            // the first answer that was not OK
	kept    []*near.Cache
}

func (b *broadcast) Answered(p *upstream.Pending, a *upstream.Answer) {
	if c := b.client; !b.quiet {
		c.traceAsked(b.slot, b.asked[p.Slot].Name, p.Sent)
	}
	b.arrived(a.Data, a.Failed() || string(a.Last.Line) != "OK")
}

// arrived handles the answer of one upstream.
func (b *broadcast) arrived(line []byte, refused bool) {
	if refused && b.refusal == nil {
		b.refusal = bytes.Clone(line)
	}
	if b.waiting--; b.waiting > 0 {
		return
	}
	if b.again != nil && b.rounds == 1 {
		b.ask(b.again)
		return
	}
	for _, kept := range b.kept {
		kept.EndAll()
	}
	switch c := b.client; {
	case b.quiet:
	case b.refusal != nil:
		c.reply(b.slot, b.refusal, true)
	default:
		c.reply(b.slot, []byte("OK\r\n"), false)
	}
	if b.again != nil {
		b.client.lane.flushes = false
		b.client.Progress()
	}
}
