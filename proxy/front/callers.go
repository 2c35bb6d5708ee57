package front

import (
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/route"
)

// callers are the verbs of a client.
type callers struct {
	first   *poolCaller // nil before the first verb
	unbegun int32       // retrievals with a verb that has not begun yet
	hurried bool        // none of its verbs waits any more until there is something for it
}

// poolCaller is what the executor of a pool knows about a client that has begun a verb there.
type poolCaller struct {
	execution.Caller
	pool *route.Pool
	next *poolCaller // of the same client; few clients use several pools
}

// dropRetired forgets the callers in pools that a reload has replaced and where no verb is running any more, nor one
// waits to begin that may take several executions.
func (s *callers) dropRetired() {
	for at := &s.first; *at != nil; {
		if v := *at; v.pool.Retired() && v.Running() == 0 && !v.Wrapped() {
			*at = v.next
		} else {
			at = &v.next
		}
	}
}

// running returns how many verbs of the client are running.
func (s *callers) running() (n int) {
	for v := s.first; v != nil; v = v.next {
		n += v.Running()
	}
	return n
}

// waiting reports whether a verb of the client waits until there is something for it.
func (s *callers) waiting() bool {
	return s.any(func(v *poolCaller) bool { return v.Waiting() > 0 })
}

// wrapped reports whether a verb of the client is not answered that may take several executions.
func (s *callers) wrapped() bool {
	return s.any(func(v *poolCaller) bool { return v.Wrapped() })
}

// any reports whether is holds for a pool in which the client has verbs.
func (s *callers) any(is func(*poolCaller) bool) bool {
	for v := s.first; v != nil; v = v.next {
		if is(v) {
			return true
		}
	}
	return false
}

// hurry ends the waits of the client's verbs, and keeps later ones from waiting.
func (s *callers) hurry() {
	s.hurried = true
	for v := s.first; v != nil; v = v.next {
		v.pool.Verbs.Hurry(&v.Caller)
	}
}

// leave says that the client is gone, so that the answers are not needed.
func (s *callers) leave() {
	for v := s.first; v != nil; v = v.next {
		v.pool.Verbs.Leave(&v.Caller)
	}
}
