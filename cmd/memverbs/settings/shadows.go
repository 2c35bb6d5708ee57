package settings

import (
	"errors"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
)

// checkShadows refuses pools that can't be shadows, or can't have one.
func (f *file) checkShadows() error {
	var errs []error
	for _, l := range f.listeners {
		for _, way := range l.ways {
			main, other := f.named(way.Pool), f.named(way.Shadow)
			if main == nil || other == nil || len(way.Copies) > 0 {
				continue
			}
			errs = append(errs, main.checkShadowed(way.shadow), other.checkShadow(way.shadow), main.checkShadowedBy(other, way.shadow))
		}
	}
	return errors.Join(errs...)
}

// checkShadowed refuses settings with which a pool can't have a shadow.
func (p *filePool) checkShadowed(at yamlfile.Node) error {
	if len(p.namespaces) > 0 {
		return at.Errorf("shadow: pool %s can't have a shadow with namespaces: nsflush does not reach the shadow, which would find what was flushed", p.name)
	}
	return nil
}

// checkShadow refuses settings with which a pool can't be a shadow.
func (p *filePool) checkShadow(at yamlfile.Node) error {
	switch {
	case len(p.namespaces) > 0:
		return at.Errorf("shadow: pool %s can't be a shadow with namespaces: keys are sent to a shadow as they are in the pool of the route", p.name)
	case p.readOnly:
		return at.Errorf("shadow: pool %s can't be a shadow with read-only: true: without changes a shadow finds nothing", p.name)
	}
	return nil
}

// checkShadowedBy refuses a shadow in which requests would be carried out twice on the same items.
func (p *filePool) checkShadowedBy(shadow *filePool, at yamlfile.Node) error {
	address := shadow.sharesServer(p)
	switch {
	case shadow == p:
		return at.Errorf("shadow: pool %s can't be its own shadow: incr would count twice", p.name)
	case p.onDown.OnDown == config.Spare && p.onDown.spare == shadow.name:
		return at.Errorf("shadow: pool %s can't be the shadow of pool %s, as it is its spare: while a server is down, it would get each request twice", shadow.name, p.name)
	case address != "":
		return at.Errorf("shadow: pools %s and %s both have the server %s: it would carry out requests twice on the same items", p.name, shadow.name, address)
	}
	return nil
}
