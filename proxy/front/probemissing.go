package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/route"
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
		req := &l.scratch.plain
		req.SetRetrieval(protocol.Get, key, 1, true)
		if l.probeMoved(p, req, k) {
			return
		}
		if u := p.SpareFor(p.Owner(key), protocol.Get, key); u.State == upstream.Up {
			answered := upstream.SinkFunc(func(_ *upstream.Pending, a *upstream.Answer) { l.probed(k, a) })
			u.Connection(false).Request(req, &upstream.Pending{Sink: answered, Command: protocol.Get, Tally: tally.Uncounted, Keys: 1})
			return
		}
	}
	l.missing.probed(k)
}

// probeMoved asks for a key that moves, on both servers, as a client would. It returns false if the key does not move.
func (l *Loop) probeMoved(p *route.Pool, req *protocol.Request, k holding.Key) bool {
	to := route.Target{Pool: p, Owner: p.Owner(req.Key)}
	if p.Moving != nil {
		to.Source = p.Moving.Source(req.Key, to.Owner)
	}
	phase, _, underWay := to.Phase()
	if !underWay || to.Owner.State != upstream.Up {
		return false
	}
	m := l.newMovedCall(to, req, phase)
	m.then = func(a moving.Answer, data []byte, kind protocol.ReplyKind) { l.probed(k, movedAnswer(a, data, kind)) }
	m.begin(moving.Get)
	return true
}

// probed takes the answer to a probe.
func (l *Loop) probed(k holding.Key, a *upstream.Answer) {
	if !a.Failed() && hasValue(a.Data) {
		l.missing.table.Stored(k)
		return
	}
	l.missing.probed(k)
}

// hasValue reports whether the reply to a get has a value.
func hasValue(reply []byte) bool { return bytes.HasPrefix(reply, []byte("VALUE ")) }
