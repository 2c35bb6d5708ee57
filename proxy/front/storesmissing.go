package front

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// storesMissing is the sink of a change that may store a key for which gets wait.
type storesMissing struct {
	key  holding.Key
	loop *Loop
	sink upstream.Sink
}

// Answered implements [upstream.Sink].
func (s *storesMissing) Answered(p *upstream.Pending, a *upstream.Answer) {
	if !a.Failed() && (bytes.HasPrefix(a.Data, []byte("STORED")) || bytes.HasPrefix(a.Data, []byte("HD"))) {
		s.loop.missing.table.Stored(s.key)
	}
	s.sink.Answered(p, a)
}
