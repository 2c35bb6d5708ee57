package front

import (
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
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

// idleWaiting keeps waiting objects for reuse.
type idleWaiting []*waiting

// take returns a waiting object that is not in use.
func (i *idleWaiting) take() *waiting {
	n := len(*i) - 1
	if n < 0 {
		return &waiting{}
	}
	w := (*i)[n]
	*i = (*i)[:n]
	return w
}

// give keeps w for reuse.
func (i *idleWaiting) give(w *waiting) {
	if *w = (waiting{}); len(*i) < memory.MaxIdle {
		*i = append(*i, w)
	}
}
