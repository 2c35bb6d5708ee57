package front

import (
	"encoding/base64"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/route"
)

// Bring moves the items under keys, as a sweep has found them where they were. It calls then with how many of them may be
// there still.
func (l *Loop) Bring(of *migration.Migration, keys [][]byte, then func(remained int)) {
	p := l.migrating(of)
	if p == nil {
		then(len(keys))
		return
	}
	remained, waiting := 0, 1
	arrived := func() {
		if waiting--; waiting == 0 {
			then(remained)
		}
	}
	for _, key := range keys {
		to := route.Target{Pool: p, Owner: p.Owner(key)}
		if to.Source = p.Moving.Source(key, to.Owner); to.Source == nil || p.Moving.IsGivenUp(to.Source) {
			continue
		}
		phase, _, underWay := to.Phase()
		if !underWay || phase != moving.Moving {
			remained++
			continue
		}
		var req protocol.Request
		req.SetRetrieval(protocol.Get, key, 1, true)
		if !protocol.PlainWord(key) {
			req.SetMeta(protocol.MetaGet, key, encoded(key), []byte(" v b"))
		}
		m := l.newMovedCall(to, &req, phase)
		m.then = func(moving.Answer, []byte, protocol.ReplyKind) { remained++ }
		m.after = arrived
		waiting++
		m.begin(moving.Bring)
	}
	arrived()
}

// migrating returns the pool whose keys a migration moves, nil if there is none any more.
func (l *Loop) migrating(of *migration.Migration) *route.Pool {
	for _, p := range l.Pools.Current {
		if p.Moving != nil && p.Moving.Migration == of {
			return p
		}
	}
	return nil
}

// encoded returns a key in base64.
func encoded(key []byte) []byte { return base64.StdEncoding.AppendEncode(nil, key) }
