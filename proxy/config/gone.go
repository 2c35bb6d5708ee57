package config

import "github.com/memverbs/memverbs/proxy/outdated"

// Gone remembers the upstreams that reloads have removed from all pools: if a reload adds one
// again, it may have outdated values.
type Gone map[string]bool

// maxRemoved is how many upstreams are remembered.
const maxRemoved = 10000

// add notes an upstream.
func (r Gone) add(upstream string) {
	if len(r) < maxRemoved {
		r[upstream] = true
	}
}

// Staleness is what this process remembers of outdated keys on servers.
type Staleness struct {
	Memory   *outdated.Memory
	informed bool // it includes what was outdated before this process started
}

// NewStaleness returns an empty staleness, or one with what was inherited.
func NewStaleness(inherited *outdated.Memory) Staleness {
	if inherited != nil {
		return Staleness{inherited, inherited.Inherited()}
	}
	return Staleness{Memory: outdated.New()}
}
