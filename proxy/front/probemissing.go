package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// probeMissing asks the server for a key for which gets wait.
func (l *Loop) probeMissing(k holding.Key) {
	key := []byte(k.Text)
	for _, p := range l.Pools.Current {
		if p.Shared.Held != k.Of {
			continue
		}
		if u := p.SpareFor(p.Owner(key), protocol.Get, key); u.State == upstream.Up {
			req := &l.scratch.plain
			req.SetRetrieval(protocol.Get, key, 1, true)
			u.Connection(false).Request(req, &upstream.Pending{Sink: &missProbe{l, k}, Command: protocol.Get, Tally: tally.Uncounted, Keys: 1})
			return
		}
	}
	l.missing.probed(k)
}

// missProbe is the sink of a probe.
type missProbe struct {
	loop *Loop
	key  holding.Key
}

// Answered implements [upstream.Sink].
func (s *missProbe) Answered(_ *upstream.Pending, a *upstream.Answer) {
	if !a.Failed() && hasValue(a.Data) {
		s.loop.missing.table.Stored(s.key)
		return
	}
	s.loop.missing.probed(s.key)
}

// hasValue reports whether the reply to a get has a value.
func hasValue(reply []byte) bool { return bytes.HasPrefix(reply, []byte("VALUE ")) }
