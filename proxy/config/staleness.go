package config

import (
	"github.com/memverbs/memverbs/proxy/outdated"
)

// Staleness is what a server of this process remembers.
type Staleness struct {
	Memory   *outdated.Memory
	informed bool // of what was outdated before this process
}

// NewStaleness returns an empty staleness, or one with what was inherited.
func NewStaleness(inherited *outdated.Memory) Staleness {
	if inherited != nil {
		return Staleness{inherited, inherited.Inherited()}
	}
	return Staleness{Memory: outdated.New()}
}
