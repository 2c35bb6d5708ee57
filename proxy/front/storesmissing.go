package front

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// storesMissing returns the sink of a change that may store a key for which gets wait. It passes the answer to sink.
func (l *Loop) storesMissing(key holding.Key, sink upstream.Sink) upstream.Sink {
	return upstream.SinkFunc(func(p *upstream.Pending, a *upstream.Answer) {
		if !a.Failed() && (bytes.HasPrefix(a.Data, []byte("STORED")) || bytes.HasPrefix(a.Data, []byte("HD"))) {
			l.missing.table.Stored(key)
		}
		sink.Answered(p, a)
	})
}
