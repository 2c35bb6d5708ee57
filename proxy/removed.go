package proxy

// removed are the upstreams that reloads have removed from all pools: if one comes
// back, it may have outdated values.
type removed map[string]struct{}

// maxRemoved is how many upstreams are remembered.
const maxRemoved = 10000

// note notes what next has no more, and forgets what it has again.
func (r removed) note(before, next *setup) {
	for _, p := range before.pools {
		for _, id := range p.servers() {
			r.add(id)
		}
	}
	for _, p := range next.pools {
		for _, id := range p.servers() {
			delete(r, id)
		}
	}
}

// has reports whether an upstream was removed.
func (r removed) has(upstream string) bool {
	_, has := r[upstream]
	return has
}

// add notes an upstream.
func (r removed) add(upstream string) {
	if len(r) < maxRemoved {
		r[upstream] = struct{}{}
	}
}
