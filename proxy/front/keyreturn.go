package front

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// returnKey returns the sink that inserts the key into the reply to req, because the upstream was not asked to return it, and
// passes that to c.
func returnKey(c *Client, req *protocol.Request) upstream.Sink {
	key, where := slices.Concat(req.Prefix, req.Key), req.KeyReturn
	return upstream.SinkFunc(func(p *upstream.Pending, a *upstream.Answer) {
		if !a.Failed() {
			*a = upstream.Answer{Data: where.AppendTo(nil, a.Data, key), Last: a.Last}
		}
		c.Answered(p, a)
	})
}
