package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A key may have copies in several pools (package copies). A get asks one after another. A change is sent to the others first and
// to the copy that leads when these have answered, so a client's next requests on its key wait meanwhile.

// leads chooses the copy that a request is sent to: the first that is up, if any copy will do.
func (c *Client) leads(req *protocol.Request, to *route.Target) {
	if kind := copies.KindOf(req); kind == copies.Reads || kind == copies.Everywhere {
		_, to.Owner = to.Copies.Leads(to.Stored(req.Key))
	}
}

// sendCopied sends a request on a key with copies, as it is stored, to the copy that leads. It returns false if the request is for that copy
// alone.
func (c *Client) sendCopied(req *protocol.Request, to route.Target, p *upstream.Pending) bool {
	kind := copies.KindOf(req)
	switch {
	case kind == copies.Reads:
		c.getCopied(req, to, p)
	case kind == copies.First:
		return false
	case !c.loop.hasMemory(len(req.Data)):
		c.Answered(p, &upstream.Answer{Outcome: upstream.Refused, Data: []byte("SERVER_ERROR out of memory storing object\r\n")})
	default:
		c.changeCopied(req, to, p, kind)
	}
	return true
}

// reachesCopies reports whether a request can be sent to all copies of its key that are up, if it changes something. If not, w waits.
func (c *Client) reachesCopies(w *admission.Waiter, req *protocol.Request, to route.Target) bool {
	if to.Owner == nil || req.Verb == nil && (copies.KindOf(req) == copies.Reads || copies.KindOf(req) == copies.First) {
		return true
	}
	for _, p := range to.Copies.Pools {
		if u := p.Owner(to.Stored(req.Key)); u != to.Owner && !u.Admits(w, false) {
			return false
		}
	}
	return true
}

// rememberCopied remembers the key of a change that is refused because all its copies are down.
func rememberCopied(req *protocol.Request, to *route.Target) {
	if copies.KindOf(req) != copies.Everywhere {
		to.Remember(req)
		return
	}
	for _, p := range to.Copies.Pools {
		p.Owner(req.Key).Remember(req.Key, "")
	}
}
