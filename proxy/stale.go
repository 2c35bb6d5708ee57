package proxy

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/outdated"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// While a server is down, clients go on without it: what they change or delete, or try to, is outdated
// there when it is back. So the keys are remembered, and deleted before the server is used again (package
// upstream, clearing.go).

// staleness is what a server of this process remembers.
type staleness struct {
	memory   *outdated.Memory
	informed bool // of what was outdated before this process
}

// newStaleness returns an empty staleness, or one with what was inherited.
func newStaleness(inherited *outdated.Memory) staleness {
	if inherited != nil {
		return staleness{inherited, inherited.Inherited()}
	}
	return staleness{memory: outdated.New()}
}

// drop forgets what is outdated on servers that no pool has any more.
func (s staleness) drop(before, next *setup) {
	for _, p := range before.pools {
		for _, u := range p.Upstreams {
			if !slices.ContainsFunc(next.pools, func(p *sharedPool) bool {
				return slices.ContainsFunc(p.Upstreams, func(other Upstream) bool { return other.server() == u.server() })
			}) {
				s.memory.Drop(u.server())
			}
		}
	}
}

// ClearOutdated deletes what was added to Config.Outdated after Start, where servers are used already.
func (s *Server) ClearOutdated() {
	for _, p := range s.setup.Load().pools {
		for _, remote := range p.remotes {
			remote.Clear()
		}
	}
}

// server identifies the server, whichever pools have it.
func (u *Upstream) server() string {
	if u.Address == "" {
		return u.Name
	}
	return u.Network + ":" + u.Address
}

// onReturn returns what is done when an upstream of the pool is back.
func (p *sharedPool) onReturn() upstream.OnReturn {
	if p.Guard.ReadOnly {
		return upstream.Keep
	}
	return p.OnReturn
}

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
