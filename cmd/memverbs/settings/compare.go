package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/sharding"
)

// Compared returns lines that say which share of the keys these settings place on other servers
// than the settings before.
func (s *All) Compared(before *All) string {
	var b strings.Builder
	for _, p := range s.Pools {
		old := before.poolNamed(p.name)
		if old == nil {
			fmt.Fprintf(&b, "pool %s is new\n", p.name)
			continue
		}
		fmt.Fprintf(&b, "pool %s: %s\n", p.name, p.moves(old))
	}
	for _, p := range before.Pools {
		if s.poolNamed(p.name) == nil {
			fmt.Fprintf(&b, "pool %s is removed\n", p.name)
		}
	}
	for _, l := range s.Listeners {
		for _, old := range before.Listeners {
			if was := ways(old.routes); old.Address == l.Address && was != ways(l.routes) {
				fmt.Fprintf(&b, "listen at %v: before, %s\n", l.Address, was)
			}
		}
	}
	return b.String()
}

// poolNamed returns the pool of that name, nil if there is none.
func (s *All) poolNamed(name string) *Pool {
	if i := slices.IndexFunc(s.Pools, func(p *Pool) bool { return p.name == name }); i >= 0 {
		return s.Pools[i]
	}
	return nil
}

// moves returns a line that says which share of the pool's keys is on other servers than before.
func (p *Pool) moves(old *Pool) string {
	var b strings.Builder
	if p.placing() == old.placing() {
		b.WriteString("no key moves")
	} else if p.IsFound() || old.IsFound() {
		b.WriteString("how many keys move depends on the servers that are found")
	} else {
		share := sharding.Moved(old.built, p.built, old.addresses(), p.addresses())
		fmt.Fprintf(&b, "%.1f %% of the keys move to another server, where they are missing", 100*share)
	}
	for _, setting := range []struct {
		name    string
		changed bool
	}{
		{"hash-tag", p.HashTag != old.HashTag},
		{"unhashed-prefix", !slices.Equal(p.prefixes, old.prefixes)},
	} {
		if setting.changed {
			fmt.Fprintf(&b, "; %s differs, which moves more of those that it applies to", setting.name)
		}
	}
	if p.logChunk != old.logChunk || p.logChunks != old.logChunks {
		b.WriteString("; log-chunk or log-chunks differs: events logged before may not be found")
	}
	return b.String()
}

// addresses returns the addresses of the servers, which identify them; names may change.
func (p *Placement) addresses() (list []string) {
	for _, s := range p.Servers {
		list = append(list, s.Address)
	}
	return list
}
