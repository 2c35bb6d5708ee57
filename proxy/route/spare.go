package route

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// While a server is down, clients go on without it. What they change or delete meanwhile, or try to, is
// outdated on the server when it is back. So these keys are remembered, and deleted there before the
// server is used again (package upstream, clearing.go).

// IsDown reports whether u is down. An upstream that was not tried yet is not down.
func IsDown(u *pool.Member) bool { return u.Tried && u.State != upstream.Up }

// Divert makes the target the upstream that has key while the owner is down, see [Pool.SpareFor]. A key that moves stays with its two
// upstreams, as the spare pool knows nothing of the move.
func (t *Target) Divert(command protocol.Command, key []byte) {
	if t.Source != nil {
		return
	}
	if other := t.Pool.SpareFor(t.Owner, command, t.Stored(key)); other != t.Owner {
		t.Owner, t.Absent = other, t.Owner
	}
}

// SpareFor returns the upstream of the spare pool that has key while its owner u is down. It
// returns u itself if u is up, if there is no spare pool, or if that is read-only and command is a
// change.
func (p *Pool) SpareFor(u *pool.Member, command protocol.Command, key []byte) *pool.Member {
	if p.Spare == nil || !IsDown(u) || !config.Sparable(command) || p.Spare.Shared.Guard.ReadOnly && !command.ReadOnly() {
		return u
	}
	if other := p.Spare.Owner(key); !IsDown(other) {
		return other
	}
	return u
}

// CapExptime lowers an exptime of memcached, in seconds, so that an item lives no longer than
// ttl.
func CapExptime(exptime int64, ttl time.Duration, now time.Time) int64 {
	most := int64(ttl / time.Second)
	ends := protocol.TimeOf(exptime, now).Unix()
	if exptime != 0 && ends <= now.Unix()+most {
		return exptime
	}
	return most
}

// Remember remembers the stored key of req, which would have changed or deleted the item, but is refused
// because the upstream is down, or goes to the spare pool.
func (to *Target) Remember(req *protocol.Request) {
	switch {
	case !req.Overwrites():
	case to.Absent != nil:
		to.Absent.Remember(req.Key, to.Pool.Shared.Spare)
	default:
		to.Owner.Remember(req.Key, "")
	}
}

// Spares returns the sink of a set, add or delete that goes to the spare pool.
func (to *Target) Spares(req *protocol.Request, sink upstream.Sink) upstream.Sink {
	s := &spared{Sink: sink, absent: &to.Absent.Upstream}
	if to.Remember(req); req.Command == protocol.Add {
		s.added, s.pool = string(req.Key), to.Pool.Shared.Spare
	}
	to.Absent.Spares()
	return s
}

// spared is the sink of a change that goes to the spare pool while its upstream is absent.
type spared struct {
	upstream.Sink
	absent *upstream.Upstream
	added  string // the key of an add, which makes the item outdated only if the spare pool stores it
	pool   string
}

// Answered implements [upstream.Sink].
func (s *spared) Answered(p *upstream.Pending, a *upstream.Answer) {
	if s.added != "" && (a.Outcome == upstream.Lost || !a.Failed() && string(a.Last.Line) == "STORED") {
		s.absent.Remember([]byte(s.added), s.pool)
	}
	s.Sink.Answered(p, a)
	s.absent.Spared()
	s.added = ""
}
