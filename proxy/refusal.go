package proxy

import "github.com/memverbs/memverbs/protocol"

// dispatchRefusal answers a request that is not forwarded. What memcached does
// besides refusing it is done first: it removes an item that could not be
// replaced, and it has read the keys before one that is too long.
func (c *client) dispatchRefusal(req *protocol.Request) {
	switch {
	case req.Unlink && c.loop.locate(req.Key).state == up:
		c.removeAndRefuse(req)
	case req.Command.Retrieval() && req.NumWords > 0:
		c.gather(req, req.Refusal)
	case !req.Quiet || req.Command.Meta():
		c.refuse(req.Refusal)
	}
	c.series = nil
}

// removal is the deletion of an item in place of a request that was refused.
type removal struct {
	client *client
	slot   uint32
	line   string
	quiet  bool
}

func (c *client) removeAndRefuse(req *protocol.Request) {
	r := &removal{client: c, line: req.Refusal}
	if r.quiet = req.Quiet && req.Command == protocol.Set; !r.quiet {
		r.slot = c.slots.reserve(0, nil)
	}
	c.loop.locate(req.Key).remove(req, r)
}

func (r *removal) answered(_ *pending, a *answer) {
	switch {
	case r.quiet:
	case a.fail:
		r.client.reply(r.slot, a.data, true)
	default:
		r.client.reply(r.slot, append([]byte(r.line), "\r\n"...), true)
	}
}

// remove sends a deletion of what the request is about.
func (u *upstream) remove(req *protocol.Request, s sink) {
	out := &u.wire.out
	b := out.room(protocol.MaxLine)
	if len(req.Encoded) > 0 {
		out.extend(append(append(append(b, "md "...), req.Encoded...), " b\r\n"...))
		u.push(pending{sink: s, command: protocol.MetaDelete})
		return
	}
	out.extend(append(append(append(b, "delete "...), req.Key...), "\r\n"...))
	u.push(pending{sink: s, command: protocol.Delete})
}
