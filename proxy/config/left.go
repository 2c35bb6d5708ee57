package config

import "slices"

// A reload may remove servers from all pools.

// Note adds the servers that before has and next does not, and forgets those that next has.
func (r Gone) Note(before, next *Setup) {
	for _, p := range before.Pools {
		for _, id := range p.servers() {
			r.add(id)
		}
	}
	for _, p := range next.Pools {
		for _, id := range p.servers() {
			delete(r, id)
		}
	}
}

// Drop forgets what is outdated on servers that no pool has any more.
func (s Staleness) Drop(before, next *Setup) {
	for _, p := range before.Pools {
		for _, id := range p.servers() {
			if !slices.ContainsFunc(next.Pools, func(p *SharedPool) bool { return slices.Contains(p.servers(), id) }) {
				s.Memory.Drop(id)
			}
		}
	}
}
