package front

import (
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/route"
)

// callers are the verbs of a client.
type callers struct {
	list    []*poolCaller
	unbegun int  // retrievals with a verb that has not begun yet
	hurried bool // none of its verbs waits any more until there is something for it
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

// waiting reports whether a verb of the client waits until there is something for it.
func (s *callers) waiting() bool {
	for _, v := range s.list {
		if v.Waiting() > 0 {
			return true
		}
	}
	return false
}

// hurry ends the waits of the client's verbs, and keeps later ones from waiting.
func (s *callers) hurry() {
	s.hurried = true
	for _, v := range s.list {
		v.pool.Verbs.Hurry(&v.Caller)
	}
}

// leave says that the client is gone, so that the answers are not needed.
func (s *callers) leave() {
	for _, v := range s.list {
		v.pool.Verbs.Leave(&v.Caller)
	}
}
