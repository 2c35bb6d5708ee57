package front

import "github.com/memverbs/memverbs/proxy/upstream"

// A client's retrievals use second connections once its values are expected to have
// bulkFrom bytes or more, until they are expected to have fewer than bulkUntil. The two
// differ so that a client with values near one limit does not switch all the time: each
// switch waits for the requests in flight.
const (
	bulkFrom  = 32 << 10
	bulkUntil = 16 << 10
)

// lane decides which connections to upstreams a client uses. Its requests in flight,
// except operations of verbs, are all on first connections or all on second ones, so
// that they take effect in order.
type lane struct {
	upstream.Lane
	large bool // the client's values are large
	bulk  bool // the current request uses a second connection
}

// expect sets the expected size of the client's values, in bytes.
func (n *lane) expect(size int) {
	n.large = size >= bulkFrom || n.large && size >= bulkUntil
}
