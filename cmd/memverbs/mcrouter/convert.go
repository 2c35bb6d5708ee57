package mcrouter

import (
	"errors"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// Is reports whether root is that of a configuration of mcrouter: it has routes.
func Is(root yamlfile.Node) bool { return root.Has("route") || root.Has("routes") }

// Convert converts the configuration of mcrouter with the given root, at path, to a file of memverbs. It refuses, each
// with its place, what memverbs can't do. The warnings say what memverbs does differently. They are returned beside an
// error, too.
func Convert(path string, root yamlfile.Node) (text []byte, warnings []settings.Warning, err error) {
	c := config{handles: map[string]yamlfile.Node{}, inside: map[string]bool{}, single: map[*pool][]*pool{}}
	if err := c.convert(root); err != nil {
		return nil, c.warnings, err
	}
	if err := c.complete(root); err != nil {
		return nil, c.warnings, err
	}
	text = c.write(path)
	if err := check(text); err != nil {
		return nil, c.warnings, root.Errorf("memverbs refuses the file that would be made of this: %v", err)
	}
	return text, c.warnings, nil
}

// check refuses a file that memverbs would refuse, for instance for a prefix that no key can have.
func check(text []byte) error {
	made, err := yamlfile.Parse("that file", text)
	if err == nil {
		_, _, err = settings.Parse(made)
	}
	return err
}

// convert reads the whole configuration.
func (c *config) convert(root yamlfile.Node) error {
	parts := map[string]yamlfile.Node{}
	err := setting.EachEntry(root, func(e yamlfile.Entry) error {
		switch e.Key {
		case "pools", "route", "routes", "named_handles":
			parts[e.Key] = e.Value
		case "macros", "consts":
			return e.At.Errorf("%s: mcrouter's macros are not read here: give the file in which mcrouter has carried them out, which a client is told by \"get __mcrouter__.preprocessed_config\"", e.Key)
		default:
			c.differs(e.At, "%s is left out", e.Key)
		}
		return nil
	})
	if pools, ok := parts["pools"]; ok {
		err = errors.Join(err, c.readPools(pools))
	}
	if err != nil {
		return err
	}
	c.lookUp(root)
	if n, ok := parts["route"]; ok {
		err = c.route(n, nil)
	}
	if n, ok := parts["routes"]; ok {
		err = errors.Join(err, c.routesOf(n))
	}
	return errors.Join(err, c.checkPrefixes(root))
}

// checkPrefixes refuses routes that memverbs can't tell apart.
func (c *config) checkPrefixes(root yamlfile.Node) error {
	seen := map[string]bool{}
	var errs []error
	for _, r := range c.routes {
		if seen[r.prefix] {
			errs = append(errs, root.Errorf("two routes are for the prefix %q", r.prefix))
		}
		seen[r.prefix] = true
	}
	return errors.Join(errs...)
}
