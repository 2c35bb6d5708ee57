package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

// keyReturn is a client that is given a key back which the upstream was not
// asked to return.
type keyReturn struct {
	client *client
	key    []byte
	where  *protocol.KeyReturn
}

// returnKey returns p with the key added to the answer.
func returnKey(c *client, req *protocol.Request, p pending) pending {
	p.sink = &keyReturn{client: c, key: bytes.Clone(req.Key), where: req.KeyReturn}
	return p
}

func (k *keyReturn) answered(p *pending, a *answer) {
	if !a.fail {
		*a = answer{data: k.where.AppendTo(nil, a.data, k.key), last: a.last}
	}
	k.client.answered(p, a)
}
