package front

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
)

// A loop changes to another setup between two events. What is in flight ends where it began: a verb
// on its pool, a request on the upstream to which it was sent. A request that waits is sent where
// the new setup says.

// Apply makes the loop use a setup. Pools that the setup has unchanged remain.
func (l *Loop) Apply(next *config.Setup) {
	before := l.Pools.Current
	l.Pools.Current = nil
	for _, p := range next.Pools {
		l.Pools.Current = append(l.Pools.Current, l.poolFor(p, before))
	}
	for _, p := range l.Pools.Current {
		p.Spare = l.poolNamed(p.Shared.Spare)
	}
	for _, p := range before {
		if !slices.Contains(l.Pools.Current, p) {
			p.Verbs.Retire()
			l.Pools.Retired, l.Pools.replaced = append(l.Pools.Retired, p), true
			l.forgetNear(p.Shared.Kept)
			l.forgetHolds(p.Shared.Held)
			l.learned++ // so that no command on a key of its namespaces is repeated after a later one
		}
	}
	l.listMembers(next.Upstreams())
	l.Pools.routings = map[*config.Socket]*route.Table{}
	for i, at := range next.Sockets {
		l.Pools.routings[at] = route.NewTable(&next.Config.Listeners[i], l.Pools.Current)
	}
	l.watchIdle(next)
	for c := range l.Clients.All {
		if !c.reroute() {
			c.sendAway()
		}
	}
}

// poolFor returns the loop's side of p. before are the pools of the setup before.
func (l *Loop) poolFor(p *config.SharedPool, before []*route.Pool) *route.Pool {
	for _, old := range before {
		switch {
		case old.Shared == p:
			return old
		case old.Shared.Name == p.Name:
			return l.newLoopPool(p, old)
		}
	}
	return l.newLoopPool(p, nil)
}

// listMembers adds the members of new pools to those of the loop, and retires those that no
// pool has any more. upstreams is how many the setup has.
func (l *Loop) listMembers(upstreams int) {
	var current []*pool.Member
	for _, p := range l.Pools.Current {
		p.Limit(int(l.Budget.Limit), l.Config.Loops, upstreams)
		current = append(current, p.Everyone()...)
	}
	for _, u := range l.Pools.Members {
		if !slices.Contains(current, u) {
			u.Retire()
			l.Pools.replaced = true
		}
	}
	for _, u := range current {
		if !slices.Contains(l.Pools.Members, u) {
			l.Pools.Members = append(l.Pools.Members, u)
		}
	}
}

// KeepRecords looks after the records of which servers the pools have had: they are read once, and kept if there is something to
// record.
func (l *Loop) KeepRecords() {
	for _, p := range l.Pools.Current {
		switch {
		case p.Shared.KeepsRecord():
			p.Verbs.KeepRecords()
		case p.Shared.Places != nil:
			p.Verbs.AskRecords()
		}
	}
}

// Connect starts connecting to the upstreams for which nothing has been tried.
func (l *Loop) Connect() {
	for _, u := range l.Pools.Members {
		u.Connect()
	}
}
