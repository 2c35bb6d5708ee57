package front

import "github.com/memverbs/memverbs/proxy/upstream"

// A client's retrievals begin to use second connections when its values are expected to have
// bulkFrom bytes or more, and stop when they are expected to have fewer than bulkUntil. The two
// differ because each switch waits for the requests in flight, and a client with values near a
// single limit would switch all the time.
const (
	bulkFrom  = 32 << 10
	bulkUntil = 16 << 10
)

// lane decides whether a client uses first or second connections to upstreams. Its requests in
// flight, except operations of verbs, are all on first connections or all on second ones, so that
// they take effect in order.
type lane struct {
	upstream.Lane
	large bool // the client's values are large
	bulk  bool // the current request uses a second connection

	flushes bool  // a flush_all is sent twice, and not answered, see broadcast.go
	joined  int32 // gets that wait for the answer to another client's get, see near.go
}

// expect sets the expected size of the client's values, in bytes.
func (n *lane) expect(size int) {
	n.large = size >= bulkFrom || n.large && size >= bulkUntil
}
