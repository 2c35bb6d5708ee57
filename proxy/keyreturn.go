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

// returnKey returns who takes the answer to req, adds the key and hands it to c.
func returnKey(c *client, req *protocol.Request) *keyReturn {
	return &keyReturn{client: c, key: bytes.Clone(req.Key), where: req.KeyReturn}
}

func (k *keyReturn) answered(p *pending, a *answer) {
	if !a.fail {
		*a = answer{data: k.where.AppendTo(nil, a.data, k.key), last: a.last}
	}
	k.client.answered(p, a)
}
