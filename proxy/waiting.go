package proxy

import (
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
)

// waiting is a request that could not be carried out when it was read. It is kept as it
// was understood, so that another look at it costs little.
type waiting struct {
	request protocol.Request
	at      []byte // the input from its start, with what was skipped before it
	length  int    // in the input, in bytes
	load    load
}

const waitingSize = int(unsafe.Sizeof(waiting{}))

// move has the request point into input, where its bytes are now.
func (w *waiting) move(input []byte) {
	w.request.Move(w.at, input)
	w.at = input
}

// maxIdle is how many things of a kind a loop keeps for later use.
const maxIdle = 1024

// idleWaiting are kept for later requests that have to wait.
type idleWaiting []*waiting

// take returns one that is not in use.
func (i *idleWaiting) take() *waiting {
	n := len(*i) - 1
	if n < 0 {
		return &waiting{}
	}
	w := (*i)[n]
	*i = (*i)[:n]
	return w
}

// give keeps w, which nobody needs any more.
func (i *idleWaiting) give(w *waiting) {
	if *w = (waiting{}); len(*i) < maxIdle {
		*i = append(*i, w)
	}
}
