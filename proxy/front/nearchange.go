package front

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A key whose value is kept in the process is marked as changed before a change of it is sent, and again when the upstream
// has answered, before the client is. The upstream answers a quiet change, too.

// marksChange marks a key, as it is stored, as changed until the upstream has answered. It returns the sink for that.
func marksChange(kept *near.Cache, key []byte, to upstream.Sink) upstream.Sink {
	if kept == nil || !kept.Covers(key) {
		return to
	}
	kept.Begin(key)
	marked := bytes.Clone(key)
	return upstream.SinkFunc(func(p *upstream.Pending, a *upstream.Answer) {
		kept.End(marked)
		p.Sink = to // as in nearFetch: whoever sends the request again must not end the change twice
		to.Answered(p, a)
	})
}

// nearVerb is the listener of a verb that changes keys.
type nearVerb struct {
	execution.Listener
	kept *near.Cache
	keys [][]byte
}

// marksVerb marks the keys of a verb as changed until it is answered. It returns the listener for that.
func marksVerb(kept *near.Cache, req *protocol.Request, to execution.Listener) execution.Listener {
	if catalog.Of(req).ReadOnly {
		return to
	}
	n := &nearVerb{Listener: to, kept: kept}
	if execution.TakesKeys(req) {
		for key := range protocol.Words(req.Words) {
			n.mark(key)
		}
	} else {
		n.mark(req.Key)
	}
	if len(n.keys) == 0 {
		return to
	}
	return n
}

func (n *nearVerb) mark(key []byte) {
	if n.kept.Covers(key) {
		n.keys = append(n.keys, slices.Clone(key))
		n.kept.Begin(key)
	}
}

// VerbAnswered implements [execution.Listener].
func (n *nearVerb) VerbAnswered(r *execution.Execution, text []byte) {
	for _, key := range n.keys {
		n.kept.End(key)
	}
	n.Listener.VerbAnswered(r, text)
}
