package main

import (
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/listen"
)

// checkTLS returns the error of settings of TLS, which begins with the name of one, with its place: if
// the setting is not given, that of the section.
func (s *section) checkTLS(at yamlfile.Node, err error) error {
	if err == nil {
		return nil
	}
	name, _, _ := strings.Cut(err.Error(), ":")
	if given, ok := s.given[name]; ok {
		at = given
	}
	return at.Errorf("%w", err)
}

// onlyUnix is what is wrong with TLS for unix sockets alone.
const onlyUnix = "TLS is spoken at TCP addresses, and listen has none: add one, or remove the settings of TLS"

// hasTCP reports whether TLS can be spoken at one of the addresses.
func hasTCP(addresses []listen.Address) bool {
	return slices.ContainsFunc(addresses, func(a listen.Address) bool { return a.Network == "tcp" })
}

// warnOfValidity warns of certificates that are not valid, or not for a week more.
func (f *file) warnOfValidity() {
	warn := func(s *section, key, text string) {
		if text != "" {
			f.warn(s.given[key], "%s", text)
		}
	}
	for _, p := range f.pools {
		warn(p.section, "tls-cert", p.tls.warning())
		warn(p.section, "server-tls-cert", p.warning())
	}
	for _, l := range f.listeners {
		warn(l.section, "tls-cert", l.tls.warning())
	}
}
