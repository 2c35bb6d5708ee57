package proxy

import (
	"slices"
	"strings"
	"sync"

	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Unreached is an upstream that is not up on all loops. ID tells it apart from others.
type Unreached struct{ Name, ID, Why string }

// Unreached returns the upstreams that are not up on all loops, each once, in the order of their IDs, but for those of pools that
// are only shadows: nothing waits for these. It must not be called after Shutdown.
func (s *Server) Unreached() (list []Unreached) {
	var mu sync.Mutex
	setup := s.shared.Setup.Load()
	s.shared.OnLoops(func(l *front.Loop) {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range l.Pools.Current {
			if setup.OnlyShadows(p.Shared.Name) {
				continue
			}
			for _, u := range p.All {
				if u.State != upstream.Up {
					list = append(list, Unreached{u.Name, u.ID(), u.Why()})
				}
			}
		}
	})
	slices.SortFunc(list, func(a, b Unreached) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b Unreached) bool { return a.ID == b.ID })
}
