package settings

import (
	"github.com/memverbs/memverbs/proxy/secure"
)

// Certified is the side of a listener or of a pool, with a certificate or without one.
type Certified interface {
	Validity() (v secure.Validity, has bool)
	Remind()
}

// Certified returns the sides that have certificates, one for each file.
func (s *All) Certified() (list []Certified) {
	seen := map[string]bool{}
	add := func(side Certified) {
		if v, has := side.Validity(); has && !seen[v.File] {
			seen[v.File] = true
			list = append(list, side)
		}
	}
	for _, l := range s.Listeners {
		if l.tls.built != nil {
			add(l.tls.built)
		}
	}
	for _, p := range s.Pools {
		if p.Secured != nil {
			add(p.Secured)
		}
	}
	return list
}
