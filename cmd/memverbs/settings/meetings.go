package settings

import "slices"

// warnOfMeetings warns of routes of a listener by which different keys of clients may be stored under
// one key, because a prefix is stripped: the routes have the same pool or the same spare pool, or their
// pools have a server in common. In the last case the requests of one client are not ordered either,
// since each pool has its own connections.
func (f *file) warnOfMeetings(l *fileListener) {
	for i, a := range l.ways {
		for _, b := range l.ways[:i] {
			if !a.Strip && !b.Strip {
				continue
			}
			if pool := f.shared(a.Pool, b.Pool); pool != "" {
				f.warn(a.at, "keys of the prefixes %q and %q can be the same in pool %s, as a prefix is stripped: then clients overwrite one by the other", b.Prefix, a.Prefix, pool)
			} else if server, one, other := f.sharedServer(a.Pool, b.Pool); server != "" {
				f.warn(a.at, "keys of the prefixes %q and %q can be the same on server %s, as a prefix is stripped and pools %s and %s both have it: requests of a client through both pools have no order, so that it may read what it has just replaced; let both routes lead to one pool", b.Prefix, a.Prefix, server, other, one)
			}
		}
	}
}

// reached returns the pools that keys of the pool named can go to: itself and its spare. It is
// empty if there is no such pool.
func (f *file) reached(name string) (list []*filePool) {
	p := f.named(name)
	if p == nil {
		return nil
	}
	list = append(list, p)
	if spare := f.named(p.onDown.spare); spare != nil {
		list = append(list, spare)
	}
	return list
}

// shared returns the name of a pool that keys of both pools can go to, empty if there is none.
func (f *file) shared(a, b string) string {
	others := f.reached(b)
	for _, p := range f.reached(a) {
		if slices.Contains(others, p) {
			return p.name
		}
	}
	return ""
}

// sharedServer returns the address of a server that keys of both pools can go to, and through which
// pools; empty if there is none.
func (f *file) sharedServer(a, b string) (address, one, other string) {
	for _, p := range f.reached(a) {
		for _, q := range f.reached(b) {
			if address = p.sharesServer(q); address != "" {
				return address, p.name, q.name
			}
		}
	}
	return "", "", ""
}
