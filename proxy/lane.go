package proxy

import "github.com/memverbs/memverbs/proxy/upstream"

// A client's retrievals go on second connections from when its values are expected
// to be bulkFrom bytes long, and no more when they are expected to be shorter than
// bulkUntil. The two differ, as a client with values of about one size should not
// change all the time: for that it has to wait for what is under way.
const (
	bulkFrom  = 32 << 10
	bulkUntil = 16 << 10
)

// lane is which connections to the upstreams a client uses. All that it has under
// way, but for the operations of verbs, is either on first connections or on second
// ones, as its requests must take effect in their order.
type lane struct {
	upstream.Lane
	large bool // the client's values are
	bulk  bool // the request that is being dispatched goes on a second connection
}

// expect enters how long the client's values are expected to be, in bytes.
func (n *lane) expect(size int) {
	n.large = size >= bulkFrom || n.large && size >= bulkUntil
}
