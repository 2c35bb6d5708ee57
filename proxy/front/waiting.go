package front

import (
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/route"
)

// waiting is a request that could not be carried out when it was read. It is kept as it
// was parsed, so that trying it again is cheap.
type waiting struct {
	request protocol.Request
	at      []byte       // the input from its first byte, or from the bytes skipped before it
	length  int          // how many bytes of the input it takes
	routing *route.Table // when load was determined
	load    route.Load
	since   latency.Stamp // when it was received
}

const waitingSize = int(unsafe.Sizeof(waiting{}))

// move makes the request point into input, to which its bytes have been moved.
func (w *waiting) move(input []byte) {
	w.request.Move(w.at, input)
	w.at = input
}
