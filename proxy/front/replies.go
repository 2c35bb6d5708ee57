package front

import (
	"github.com/memverbs/memverbs/proxy/reply"
)

// replies is what a client is sent, and how much of that is expected.
type replies struct {
	reply.Queue
	expected  expected // of values
	gathering int      // bytes of the client's gathers, including the values received
}

// memory returns the memory of the replies that were not written, in bytes.
func (r *replies) memory() int { return r.Queue.Memory() + r.gathering }
