package main

import (
	"github.com/memverbs/memverbs/proxy/secure"
)

// certified is the side of a listener or of a pool, with a certificate or without one.
type certified interface {
	Validity() (v secure.Validity, has bool)
	Remind()
}

// certified returns the sides that have certificates, one for each file.
func (s *settings) certified() (list []certified) {
	seen := map[string]bool{}
	add := func(side certified) {
		if v, has := side.Validity(); has && !seen[v.File] {
			seen[v.File] = true
			list = append(list, side)
		}
	}
	for _, l := range s.listeners {
		if l.tls.built != nil {
			add(l.tls.built)
		}
	}
	for _, p := range s.pools {
		if p.secured != nil {
			add(p.secured)
		}
	}
	return list
}
