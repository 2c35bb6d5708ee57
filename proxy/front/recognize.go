package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/reply"
)

// recognize sets the protocol of a client by the first byte that it has sent.
func (c *Client) recognize(first byte) {
	if first != binary.Magic {
		return
	}
	c.input.binary = &packets{Packets: reply.Packets{Account: &c.loop.Account}}
	c.replies.Binary = &c.input.binary.Packets
}

// mostBundled returns how many quiet gets at the start of data may become one request: only one if
// some of their keys may name verbs.
func (c *Client) mostBundled(data []byte) int {
	if len(data) < 2 || !binary.Bundles(data[1]) || c.routing.Keys != nil {
		return 1
	}
	return min(protocol.MaxKeys, max(1, budget/c.replies.expected.size()))
}
