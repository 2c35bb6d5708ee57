package config

// Gone remembers the upstreams that reloads have removed from all pools: if a reload adds one
// again, it may have outdated values.
type Gone map[string]struct{}

// maxRemoved is how many upstreams are remembered.
const maxRemoved = 10000

// has reports whether an upstream was removed.
func (r Gone) has(upstream string) bool {
	_, has := r[upstream]
	return has
}

// add notes an upstream.
func (r Gone) add(upstream string) {
	if len(r) < maxRemoved {
		r[upstream] = struct{}{}
	}
}
