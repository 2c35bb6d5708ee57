package front

import (
	"bytes"
	"sync"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// heldGet is the sink of a get of one key that may wait when it misses.
type heldGet struct {
	held
	relay                    // to what takes the reply
	request protocol.Request // as the client has sent it
	cut     int              // how many bytes of its key the route strips
	until   int64            // until when it may wait
	sent    upstream.Pending // how it was sent when it missed
	answer  []byte           // the miss
	key     []byte           // the memory of request's key
}

var heldGets = sync.Pool{New: func() any { return new(heldGet) }}

// useAgain keeps the get for later ones, since nobody has it any more: it was found, it has never waited, and the cache of the
// process does not know it.
func (h *heldGet) useAgain() {
	if h.twice || h.wait != nil || h.pool.Shared.Kept != nil {
		return
	}
	*h = heldGet{key: h.key}
	heldGets.Put(h)
}

// watchesMiss is called when a request is about to be sent whose key is one for which gets wait. It gives p a sink that
// notices a miss, or that the key was stored. again is the get that is sent again, nil if it is sent for the first time.
func (c *Client) watchesMiss(req *protocol.Request, to route.Target, p *upstream.Pending, again *heldGet) {
	keys := to.Pool.Shared.Held
	switch {
	case again != nil:
		again.sink, again.pool = p.Sink, to.Pool
		p.Sink = again
	case req.Command.Storage():
		p.Sink = c.loop.storesMissing(holding.Key{Of: keys, Text: string(req.Key)}, p.Sink)
	case mayMiss(req):
		c.useHolds(p.Slot)
		h := heldGets.Get().(*heldGet)
		h.sink, h.cut, h.until = p.Sink, len(req.Prefix), near.Now()+keys.For(req.Key)
		h.held = held{client: c, get: h, slot: p.Slot, pool: to.Pool}
		h.key = append(append(h.key[:0], req.Prefix...), req.Key...)
		if h.request.SetRetrieval(req.Command, h.key, 1, true); req.Command == protocol.MetaGet {
			h.request = req.Detached()
			h.request.Key = h.key
		}
		p.Sink = h
	}
}

// Answered implements [upstream.Sink].
func (h *heldGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	missed := !a.Failed() && bytes.HasPrefix(a.Data, []byte("EN")) // END, or EN of a meta command
	if missed && !h.client.gone() && h.missed(p, a.Data) {
		h.pool.Stats.Misses[tally.Get]--
		return
	}
	found := !a.Failed() && !missed
	h.sink.Answered(p, a)
	if found {
		h.useAgain()
	}
}

// missed is called when the get, which was sent as p says, has missed. It reports whether the get waits, so that the miss does
// not count.
func (h *heldGet) missed(p *upstream.Pending, answer []byte) bool {
	h.sent, h.answer = *p, bytes.Clone(answer)
	key := h.request.Key[h.cut:]
	return h.waits([]holding.Key{{Of: h.pool.Shared.Held, Text: string(key)}}, h.until)
}

// miss answers with the miss.
func (h *heldGet) miss() {
	if h.client.gone() {
		return
	}
	h.pool.Stats.Misses[tally.Get]++
	h.sink.Answered(&h.sent, &upstream.Answer{Data: h.answer, Last: &protocol.Reply{Kind: protocol.ReplyEnd}})
}
