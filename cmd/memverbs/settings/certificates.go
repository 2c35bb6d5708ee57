package settings

import (
	"github.com/memverbs/memverbs/proxy/secure"
)

// Certified returns what is made of files with certificates, once for each file.
func (s *All) Certified() (list []*secure.Watched) {
	seen := map[string]bool{}
	for _, w := range s.watched() {
		if v, has := w.Validity(); has && !seen[v.File] {
			seen[v.File] = true
			list = append(list, w)
		}
	}
	return list
}

// watched returns what is made of files for TLS, by all listeners and pools.
func (s *All) watched() (list []*secure.Watched) {
	for _, l := range s.Listeners {
		if l.tls.built != nil {
			list = append(list, l.tls.built.Watched)
		}
	}
	for _, p := range s.Pools {
		if p.Secured != nil {
			list = append(list, p.Secured.Watched)
		}
	}
	return list
}
