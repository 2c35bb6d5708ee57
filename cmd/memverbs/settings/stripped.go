package settings

import (
	"strings"

	"github.com/memverbs/memverbs/proxy/byprefix"
)

// warnOfStripped warns of prefixes in near and hold-misses that clients' keys have, but not the keys that are stored, because
// the route strips them.
func (f *file) warnOfStripped() {
	for _, p := range f.pools {
		f.warnOfStrippedIn(p, "near", p.near)
		f.warnOfStrippedIn(p, "hold-misses", p.holdMisses)
	}
}

// warnOfStrippedIn is warnOfStripped for one setting of a pool.
func (f *file) warnOfStrippedIn(p *filePool, setting string, list []byprefix.Duration) {
	for _, n := range list {
		if r := f.strips(p, n.Text); r != nil {
			f.warn(p.Given[setting], "%s has the prefix %q, but the route of %q strips that: the prefix is that of the keys as they are stored, which is %q here", setting, n.Text, r.Prefix, strings.TrimPrefix(n.Text, r.Prefix))
		}
	}
}

// strips returns the route by which clients' keys of a prefix go to p without that, nil if there is none, or if others
// go there with it.
func (f *file) strips(p *filePool, prefix string) (by *fileRoute) {
	if len(p.addresses) > 0 {
		return nil
	}
	for _, l := range f.listeners {
		switch r := l.wayOf(prefix); {
		case r == nil || r.Pool != p.name:
		case !r.Strip:
			return nil
		default:
			by = r
		}
	}
	return by
}

// wayOf returns the route that keys of a prefix take, nil if there is none.
func (l *fileListener) wayOf(prefix string) (longest *fileRoute) {
	for _, r := range l.ways {
		if strings.HasPrefix(prefix, r.Prefix) && (longest == nil || len(r.Prefix) > len(longest.Prefix)) {
			longest = r
		}
	}
	return longest
}
