package settings

import (
	"slices"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// warnOfAll warns of everything that is told of below.
func (f *file) warnOfAll() {
	f.warnOfLayouts()
	f.warnOfSpares()
	f.warnOfReturns()
	f.warnOfFound()
	for _, l := range f.listeners {
		f.warnOfMeetings(l)
	}
	f.warnOfStripped()
	f.warnOfValidity()
	for _, p := range f.pools {
		f.warnOfSecrets(p.Section, append(p.listening.secretFiles(), p.Pool.secretFiles()...))
	}
	for _, l := range f.listeners {
		f.warnOfSecrets(l.Section, l.secretFiles())
	}
}

// warnOfSpares warns of settings for a spare pool without one.
func (f *file) warnOfSpares() {
	for _, p := range f.pools {
		if at, given := p.Given["spare-ttl"]; given && p.onDown.spare == "" {
			f.warn(at, "spare-ttl has no effect without on-down: %s<pool>", spareIs)
		}
	}
}

// warnOfLayouts warns of pools that place keys differently though all servers of one are servers of the other.
func (f *file) warnOfLayouts() {
	for i, p := range f.pools {
		differs := func(other *filePool) bool {
			return p.placing() != other.placing() && (p.within(other) || other.within(p))
		}
		at := slices.IndexFunc(f.pools[:i], differs)
		if at < 0 {
			continue
		}
		other, those := f.pools[at], "have the same servers"
		if !p.within(other) || !other.within(p) {
			those = "have servers in common"
		}
		f.warn(p.at, "pools %s and %s %s but place keys differently: what is stored through one is not found through the other", other.name, p.name, those)
	}
}

// within reports whether all servers of p are servers of other.
func (p *filePool) within(other *filePool) bool {
	theirs := other.Placement.addresses()
	return !slices.ContainsFunc(p.Servers, func(s Server) bool { return !slices.Contains(theirs, s.Address) })
}

// warnOfReturns warns of pools that share a server and disagree on what happens when it is back.
func (f *file) warnOfReturns() {
	first := make(map[string]*filePool) // by server
	for _, p := range f.pools {
		warned := false
		for _, s := range p.Servers {
			other := first[s.Address]
			if other == nil {
				first[s.Address] = p
			} else if p.onReturn != other.onReturn && !warned {
				f.warn(p.at, "pools %s and %s both have the server %s, but differ in on-return: what the one leaves there, the other may delete", other.name, p.name, s.Address)
				warned = true
			}
		}
	}
}

// warnOfFound warns of pools whose servers are found and in which proxies may learn of a change later than settle allows for.
func (f *file) warnOfFound() {
	for _, p := range f.pools {
		if least := p.discoverEvery + p.timeout; p.IsFound() && p.settle <= least {
			at, given := p.Given["settle"]
			if !given {
				at = p.at
			}
			f.warn(at, "settle is %v, but proxies may learn of a change of the servers of pool %s up to %v apart, discover-every and timeout together, and by as much more as name servers keep the answer: meanwhile a lock may be granted twice, and a structure be made in two places; set settle to more than that, or verbs: none", p.settle, p.name, least)
		}
	}
}

// warnOf warns of the value of a setting, unless text is empty.
func (f *file) warnOf(s *setting.Section, key, text string) {
	if text != "" {
		f.warn(s.Given[key], "%s", text)
	}
}

// warnOfSecrets warns of files of the section that all users of the machine may read.
func (f *file) warnOfSecrets(s *setting.Section, files []secretFile) {
	for _, secret := range files {
		f.warnOf(s, secret.setting, exposedSecret(secret.path))
	}
}

// warnOfValidity warns of certificates that are not valid, or not for a week more.
func (f *file) warnOfValidity() {
	for _, p := range f.pools {
		f.warnOf(p.Section, "tls-cert", p.tls.warning())
		f.warnOf(p.Section, "server-tls-cert", p.warning())
	}
	for _, l := range f.listeners {
		f.warnOf(l.Section, "tls-cert", l.tls.warning())
	}
}
