package front

import (
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/route"
)

// callers are the verbs of a client.
type callers struct {
	list    []*poolCaller
	unbegun int // retrievals with a verb that has not begun yet
}

// poolCaller is what the executor of a pool knows about a client that has begun a verb there.
type poolCaller struct {
	execution.Caller
	pool *route.Pool
}

// running returns how many verbs of the client are running.
func (s *callers) running() (n int) {
	for _, v := range s.list {
		n += v.Running()
	}
	return n
}

// leave says that the client is gone, so that the answers are not needed.
func (s *callers) leave() {
	for _, v := range s.list {
		v.pool.Verbs.Leave(&v.Caller)
	}
}
