package proxy

import "slices"

// removed are the upstreams that reloads have removed from pools: if one comes back, it may have
// outdated values.
type removed map[inPool]struct{}

// inPool is an upstream of a pool, by their names.
type inPool struct{ pool, upstream string }

// maxRemoved is how many upstreams are remembered.
const maxRemoved = 10000

// note notes what next does not have of before.
func (r removed) note(before, next *setup) {
	for _, p := range before.pools {
		var remain []string
		if now := next.pool(p.Name); now != nil {
			remain = now.names()
		}
		for _, name := range p.names() {
			if !slices.Contains(remain, name) && len(r) < maxRemoved {
				r[inPool{p.Name, name}] = struct{}{}
			}
		}
	}
}

// has reports whether an upstream was removed from a pool.
func (r removed) has(pool, upstream string) bool {
	_, has := r[inPool{pool, upstream}]
	return has
}
