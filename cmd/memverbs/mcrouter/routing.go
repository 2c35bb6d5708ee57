package mcrouter

import (
	"errors"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// route reads the route handle of keys that begin with a routing prefix, such as /region/cluster/, or of those without.
func (c *config) route(n yamlfile.Node, aliases []string) error {
	h, err := c.resolve(n)
	if err != nil {
		return err
	}
	if h.kind != "PrefixSelectorRoute" {
		return c.add("", h.at, aliases)
	}
	if policies, ok := h.properties["policies"]; ok {
		err = setting.EachEntry(policies, func(e yamlfile.Entry) error { return c.add(e.Key, e.Value, aliases) })
	}
	if other, ok := h.properties["wildcard"]; ok && !c.answersItself(other) {
		err = errors.Join(err, c.add("", other, aliases))
	}
	return err
}

// answersItself reports whether the route handle at n has no pool.
func (c *config) answersItself(n yamlfile.Node) bool {
	h, err := c.read(n)
	return err == nil && (h.kind == "NullRoute" || h.kind == "DevNullRoute" || h.kind == "ErrorRoute")
}

// complete adds a route for the keys without any of the prefixes, which memverbs must have.
func (c *config) complete(root yamlfile.Node) error {
	if len(c.routes) == 0 {
		return root.Errorf("no route leads to a pool")
	}
	if !slices.ContainsFunc(c.routes, func(r route) bool { return r.prefix == "" }) {
		first := c.routes[0].way
		c.differs(root, "mcrouter has no pool for keys without any of the prefixes; memverbs must have one, and takes the first, %s", first.to.name)
		c.routes = append(c.routes, route{"", false, first})
	}
	return nil
}

// add adds the route of keys with a prefix, and of the same keys with a routing prefix before it.
func (c *config) add(prefix string, n yamlfile.Node, aliases []string) error {
	w, err := c.leadsTo(n)
	if err != nil {
		return err
	}
	for _, u := range append(w.others, w.uses(n)) {
		if err := u.of.usedBy(u.at, u.use); err != nil {
			return err
		}
	}
	c.routes = append(c.routes, route{prefix, false, w})
	for _, alias := range aliases {
		if prefix != "" && !w.to.keepsPrefix {
			c.differs(n, "keys that begin with %s%s keep all of that: memverbs removes the whole prefix of a route or none of it, so have clients leave out %s", alias, prefix, alias)
		}
		c.routes = append(c.routes, route{alias + prefix, prefix == "" && !w.to.keepsPrefix, w})
	}
	return nil
}

// routesOf reads a list of routes for routing prefixes. Keys without one take the first of them, which mcrouter is told by its
// flag -R.
func (c *config) routesOf(n yamlfile.Node) error {
	number := 0
	return setting.EachElement(n, func(n yamlfile.Node) error {
		var aliases []string
		var handle yamlfile.Node
		err := setting.EachEntry(n, func(e yamlfile.Entry) (err error) {
			switch e.Key {
			case "aliases":
				aliases, err = texts(e.Value)
			case "route":
				handle = e.Value
			default:
				c.differs(e.At, "%s is left out", e.Key)
			}
			return err
		})
		if number++; err == nil && handle == (yamlfile.Node{}) {
			err = n.Errorf("this has no route: add \"route\"")
		}
		if err != nil {
			return err
		}
		if number == 1 {
			c.differs(n, "keys without a routing prefix take this route: mcrouter takes the one that its flag -R names")
			return c.route(handle, aliases)
		}
		before := len(c.routes)
		err = c.route(handle, aliases)
		kept := slices.DeleteFunc(c.routes[before:], func(r route) bool { return !strings.HasPrefix(r.prefix, "/") })
		c.routes = c.routes[:before+len(kept)] // of the new ones, only those with the routing prefix
		return err
	})
}
