package settings

import (
	"errors"
	"slices"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
)

// checkCopies refuses pools that can't have copies of one another.
func (f *file) checkCopies() error {
	var errs []error
	for _, l := range f.listeners {
		for _, way := range l.ways {
			for i, at := range way.copies {
				if p := f.named(way.Copies[i]); p != nil {
					errs = append(errs, p.checkCopy(at), f.checkApart(way, i))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// named returns the pool of that name, nil if there is none.
func (f *file) named(name string) *filePool {
	if i := slices.IndexFunc(f.pools, func(p *filePool) bool { return p.name == name }); i >= 0 {
		return f.pools[i]
	}
	return nil
}

// checkCopy refuses settings with which a pool can't have copies.
func (p *filePool) checkCopy(at yamlfile.Node) error {
	for _, wrong := range []struct {
		is   bool
		text string
	}{
		{p.readOnly, "read-only: true: a pool that takes no changes has no copies of what is changed"},
		{p.onDown.OnDown == config.Spare, "on-down: spare:<pool>: while a server is down, the other copies are used"},
		{p.onReturn == keep, "on-return: keep: a server that is back would have old values"},
		{len(p.namespaces) > 0, "namespaces: each server has its own generation of a namespace, so nobody knows whether a copy was stored before a flush"},
		{len(p.near) > 0, "near: what the process keeps is known for one pool"},
		{p.move == copyOver, "move: copy: while keys of one pool move, the other copies have them"},
		{p.warmFrom != "", "warm-from: name the other pool as a copy instead"},
		{len(p.holdMisses) > 0, "hold-misses: a get that misses asks the next copy instead of waiting"},
	} {
		if wrong.is {
			return at.Errorf("copies: pool %s can't have copies with %s", p.name, wrong.text)
		}
	}
	return nil
}

// checkApart refuses a copy that is in the same pool as one before, or that may be on the same server.
func (f *file) checkApart(way *fileRoute, i int) error {
	at, name := way.copies[i], way.Copies[i]
	for _, other := range way.Copies[:i] {
		if other == name {
			return at.Errorf("copies: pool %s is named twice", name)
		}
		if p := f.named(other); p != nil {
			if address := f.named(name).sharesServer(p); address != "" {
				return at.Errorf("copies: pools %s and %s both have the server %s: a key would have both copies there, which replace each other", other, name, address)
			}
		}
	}
	return nil
}

// sharesServer returns the address of a server that both pools have, empty if there is none.
func (p *filePool) sharesServer(other *filePool) string {
	theirs := other.Placement.addresses()
	for _, s := range p.Servers {
		if slices.Contains(theirs, s.Address) {
			return s.Address
		}
	}
	return ""
}
