package front

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
)

// removeRetired closes the retired pools and upstreams that no verb and no request uses any more.
func (l *Loop) removeRetired() {
	l.Pools.Retired = slices.DeleteFunc(l.Pools.Retired, func(p *route.Pool) bool {
		done := p.Verbs.Running() == 0
		if done {
			p.Verbs.Close()
		}
		return done
	})
	l.Pools.Members = slices.DeleteFunc(l.Pools.Members, func(u *pool.Member) bool {
		done := u.Retired() && u.InFlight() == 0 && !slices.ContainsFunc(l.Pools.Retired, func(p *route.Pool) bool { return slices.Contains(p.Everyone(), u) })
		if done {
			u.Remove()
		}
		return done
	})
	l.Pools.replaced = len(l.Pools.Retired) > 0 || slices.ContainsFunc(l.Pools.Members, (*pool.Member).Retired)
}
