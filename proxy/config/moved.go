package config

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/upstream"
)

// Move is an upstream that is to take another's place.
type Move struct{ From, To Upstream }

// Moved returns a setup in which moves replaces upstreams by others. The replaced ones are added to gone.
// loops is how many event loops there are.
func (s *Setup) Moved(moves map[*upstream.Remote]Move, gone Gone, loops int) *Setup {
	next := *s
	next.Pools = slices.Clone(s.Pools)
	for i, p := range next.Pools {
		next.Pools[i] = p.moved(moves, gone, loops)
	}
	return &next
}

// moved returns the pool with its upstreams replaced, or p itself if moves replaces none of them.
func (p *SharedPool) moved(moves map[*upstream.Remote]Move, gone Gone, loops int) *SharedPool {
	next := *p
	next.Upstreams, next.Remotes = slices.Clone(p.Upstreams), slices.Clone(p.Remotes)
	any := false
	for i, remote := range p.Remotes {
		m, has := moves[remote]
		if !has {
			continue
		}
		any = true
		from, to := m.From.Leads(), m.To.Leads()
		p.log.Warn("upstream has moved: its name leads to another machine, which is another server with other items", "upstream", m.From.Name, "from", from, "to", to)
		m.From.Leave()
		next.Upstreams[i] = m.To
		next.Remotes[i] = next.newRemote(m.To, loops)
		if back := m.To.server() + " " + to; gone[back] {
			next.Remotes[i].MarkReturning()
			delete(gone, back)
		}
		gone.add(m.From.server() + " " + from)
	}
	if !any {
		return p
	}
	return &next
}
