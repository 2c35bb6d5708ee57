package proxy

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
)

// A loop changes to another setup between two events. What is in flight ends as it began: a
// verb on the pool in which it began, a request on the upstream to which it was sent. A
// request that waits goes where the new setup says.

// apply makes the loop use a setup. Pools that the setup has unchanged remain.
func (l *loop) apply(next *config.Setup) {
	before := l.pools.current
	l.pools.current = nil
	for _, p := range next.Pools {
		l.pools.current = append(l.pools.current, l.poolFor(p, before))
	}
	for _, p := range l.pools.current {
		p.Spare = l.poolNamed(p.Shared.Spare)
	}
	for _, p := range before {
		if !slices.Contains(l.pools.current, p) {
			p.Verbs.Retire()
			l.pools.retired, l.pools.replaced = append(l.pools.retired, p), true
		}
	}
	l.listMembers(next.Upstreams())
	l.pools.routings = map[*config.Socket]*route.Table{}
	for i, at := range next.Sockets {
		l.pools.routings[at] = route.NewTable(&next.Config.Listeners[i], l.pools.current)
	}
	l.watchIdle(next)
	for c := range l.clients.all {
		if !c.reroute() {
			c.sendAway()
		}
	}
}

// poolNamed returns the pool of that name, nil if there is none.
func (l *loop) poolNamed(name string) *route.Pool {
	for _, p := range l.pools.current {
		if p.Shared.Name == name {
			return p
		}
	}
	return nil
}

// poolFor returns the loop's side of p. before are the pools of the setup before.
func (l *loop) poolFor(p *config.SharedPool, before []*route.Pool) *route.Pool {
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
func (l *loop) listMembers(upstreams int) {
	var current []*pool.Member
	for _, p := range l.pools.current {
		p.Limit(int(l.budget.Limit), l.config.Loops, upstreams)
		current = append(current, p.All...)
	}
	for _, u := range l.pools.members {
		if !slices.Contains(current, u) {
			u.Retire()
			l.pools.replaced = true
		}
	}
	for _, u := range current {
		if !slices.Contains(l.pools.members, u) {
			l.pools.members = append(l.pools.members, u)
		}
	}
}

// connect starts connecting to the upstreams for which nothing has been tried.
func (l *loop) connect() {
	for _, u := range l.pools.members {
		if !u.Begun {
			u.Connect()
		}
	}
}

// reroute makes the client use the setup of its loop, and reports whether that has its
// listener.
func (c *client) reroute() bool {
	r := c.loop.pools.routings[c.listener]
	if r == nil {
		return false
	}
	c.routing = r
	c.setGate(c.gate.state.reloaded(c.demandsPassword()))
	return true
}

// sendAway makes the client leave after what it has asked for so far has been answered. It is not
// read any more, since its pools may be gone.
func (c *client) sendAway() {
	c.conn.Pause()
	c.input.end()
	c.departure.cause = max(c.departure.cause, dismissal)
	c.depart()
}

// removeRetired closes what no verb and no request uses any more.
func (l *loop) removeRetired() {
	l.pools.retired = slices.DeleteFunc(l.pools.retired, func(p *route.Pool) bool {
		done := p.Verbs.Running() == 0
		if done {
			p.Verbs.Close()
		}
		return done
	})
	l.pools.members = slices.DeleteFunc(l.pools.members, func(u *pool.Member) bool {
		done := u.Retired() && u.InFlight() == 0 && !slices.ContainsFunc(l.pools.retired, func(p *route.Pool) bool { return slices.Contains(p.All, u) })
		if done {
			u.Remove()
		}
		return done
	})
	l.pools.replaced = len(l.pools.retired) > 0 || slices.ContainsFunc(l.pools.members, (*pool.Member).Retired)
}
