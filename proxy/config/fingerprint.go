package config

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Fingerprint is a digest of everything that all proxies in front of a pool must agree on: Agreement, the addresses to which the
// names of upstreams resolve, and in what order copies of its keys are.
func (s *Setup) Fingerprint(p *SharedPool) string {
	text := p.Agreement
	for _, u := range p.Upstreams {
		if u.Leads != nil {
			text += "\n" + u.Address + " " + u.Leads()
		}
	}
	for _, copies := range s.copiesWith(p.Name) {
		text += "\ncopies " + copies
	}
	if text == p.Agreement {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:len(p.Agreement)]
}

// copiesWith returns the names of pools that have copies of the same keys, for each such list that has the pool of that name, whatever the
// keys.
func (s *Setup) copiesWith(name string) (lists []string) {
	for i := range s.Config.Listeners {
		for _, r := range s.Config.Listeners[i].Routes {
			if slices.Contains(r.Copies, name) {
				lists = append(lists, strings.Join(r.Copies, " "))
			}
		}
	}
	slices.Sort(lists)
	return slices.Compact(lists)
}
