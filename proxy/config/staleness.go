package config

import (
	"github.com/memverbs/memverbs/proxy/outdated"
)

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
