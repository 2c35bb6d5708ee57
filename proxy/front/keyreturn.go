package front

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// keyReturn is a sink that inserts the key into a reply, because the upstream was not
// asked to return it.
type keyReturn struct {
	client *Client
	key    []byte
	where  *protocol.KeyReturn
}

// returnKey returns the sink that adds the key to the reply to req and passes it to c.
func returnKey(c *Client, req *protocol.Request) *keyReturn {
	return &keyReturn{client: c, key: slices.Concat(req.Prefix, req.Key), where: req.KeyReturn}
}

func (k *keyReturn) Answered(p *upstream.Pending, a *upstream.Answer) {
	if !a.Failed() {
		*a = upstream.Answer{Data: k.where.AppendTo(nil, a.Data, k.key), Last: a.Last}
	}
	k.client.Answered(p, a)
}
