package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// warning is about something in a file that is allowed, but hardly meant.
type warning struct{ at, text string }

func (w warning) String() string { return w.at + ": warning: " + w.text }

func (f *file) warn(at yamlfile.Node, format string, args ...any) {
	f.warnings = append(f.warnings, warning{at.At(), fmt.Sprintf(format, args...)})
}

// warnOfSpares warns of settings for a spare pool without one.
func (f *file) warnOfSpares() {
	for _, p := range f.pools {
		if at, given := p.given["spare-ttl"]; given && p.onDown.spare == "" {
			f.warn(at, "spare-ttl has no effect without on-down: %s<pool>", spareIs)
		}
	}
}

// warnOfLayouts warns of pools with the same servers that place keys differently.
func (f *file) warnOfLayouts() {
	first := make(map[string]*filePool)
	for _, p := range f.pools {
		var addresses []string
		for _, s := range p.servers {
			addresses = append(addresses, s.Address)
		}
		slices.Sort(addresses)
		same := strings.Join(addresses, "\n")
		other, ok := first[same]
		if !ok {
			first[same] = p
		} else if p.placing() != other.placing() {
			f.warn(p.at, "pools %s and %s have the same servers but place keys differently: what is stored through one is not found through the other", other.name, p.name)
		}
	}
}

// warnOfReturns warns of pools that share a server and disagree on what happens when it is back.
func (f *file) warnOfReturns() {
	first := make(map[string]*filePool) // by server
	for _, p := range f.pools {
		warned := false
		for _, s := range p.servers {
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
