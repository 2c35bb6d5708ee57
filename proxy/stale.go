package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// While a server is down, clients go on without it: what they change or delete, or try to, is outdated
// there when it is back. So the keys are remembered, and deleted before the server is used again (package
// upstream, clearing.go).

// spareOf implements SpareOf of [upstream.Env].
func (l *loop) spareOf(name, key string) *upstream.Upstream {
	if p := l.poolNamed(name); p != nil && !p.shared.Guard.ReadOnly {
		return &p.Owner([]byte(key)).Upstream
	}
	return nil
}

// returned implements Returned of [upstream.Env]: other pools with the same server need not wait for their next
// attempt.
func (l *loop) returned(u *upstream.Upstream) {
	for _, other := range l.pools.members {
		if other.ID() == u.ID() && &other.Upstream != u {
			other.Prompt()
		}
	}
}

// remember remembers the key of a request, as it is stored, that should have changed or deleted it and is
// refused because its upstream is down, or goes to the spare pool.
func (to *target) remember(req *protocol.Request) {
	switch {
	case !req.Overwrites():
	case to.absent != nil:
		to.absent.Remember(req.Key, to.pool.shared.Spare)
	default:
		to.owner.Remember(req.Key, "")
	}
}

// spares returns the sink of a set, add or delete that goes to the spare pool.
func (to *target) spares(req *protocol.Request, sink upstream.Sink) upstream.Sink {
	s := &spared{Sink: sink, absent: &to.absent.Upstream}
	if to.remember(req); req.Command == protocol.Add {
		s.added, s.pool = string(req.Key), to.pool.shared.Spare
	}
	to.absent.Spares()
	return s
}

// spared is the sink of a change that goes to the spare pool while its upstream is absent.
type spared struct {
	upstream.Sink
	absent *upstream.Upstream
	added  string // the key of an add, which makes its item outdated only if the pool takes it
	pool   string
}

// Answered implements [upstream.Sink].
func (s *spared) Answered(p *upstream.Pending, a *upstream.Answer) {
	if s.added != "" && (a.Lost || !a.Fail && string(a.Last.Line) == "STORED") {
		s.absent.Remember([]byte(s.added), s.pool)
	}
	s.Sink.Answered(p, a)
	s.absent.Spared()
	s.added = ""
}
