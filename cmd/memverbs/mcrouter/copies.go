package mcrouter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/copies"
)

// toAll are the route handles that send a request to all children and answer with one of the replies.
var toAll = []string{"AllSyncRoute", "AllInitialRoute", "AllFastestRoute", "AllMajorityRoute"}

// toNext are those that ask one child after another.
var toNext = []string{"MissFailoverRoute", "FailoverRoute", "LatestRoute"}

// copied returns the way to copies that the route handle stands for. is tells whether it stands for any.
func (c *config) copied(h handle) (w way, is bool, err error) {
	switch {
	case slices.Contains(toAll, h.kind):
		return c.copiesFor(h, h.at, nil)
	case h.kind != "OperationSelectorRoute":
		return w, false, nil
	}
	policies := c.policies(h)
	set, get := policies["set"], policies["get"]
	if set == (yamlfile.Node{}) || get == (yamlfile.Node{}) {
		return w, false, nil
	}
	all, err := c.resolve(set)
	if err != nil || !slices.Contains(toAll, all.kind) {
		return w, false, err
	}
	return c.copiesFor(all, h.at, policies)
}

// policies returns the route handles of commands in an OperationSelectorRoute.
func (c *config) policies(h handle) map[string]yamlfile.Node {
	of := map[string]yamlfile.Node{}
	if n, ok := h.properties["default_policy"]; ok {
		of["get"], of["set"], of["delete"] = n, n, n
	}
	if n, ok := h.properties["operation_policies"]; ok {
		entries, _ := n.Entries()
		for _, e := range entries {
			of[e.Key] = e.Value
		}
	}
	return of
}

// resolve reads the route handle at n, or the one whose name it is.
func (c *config) resolve(n yamlfile.Node) (handle, error) {
	h, err := c.read(n)
	if named, ok := c.handles[h.kind]; ok && err == nil && n.IsText() && h.argument == "" {
		return c.read(named)
	}
	return h, err
}

// copiesFor returns the way to the children of a route handle that sends to all, as copies, if memverbs can have them. policies are
// those of the OperationSelectorRoute that it is in, and those of get and delete must be for the same pools; nil if there is none.
func (c *config) copiesFor(all handle, at yamlfile.Node, policies map[string]yamlfile.Node) (w way, is bool, err error) {
	ways, err := c.children(all)
	if err != nil || len(ways) < 2 || len(ways) > copies.Most || slices.ContainsFunc(ways, func(w way) bool { return !w.isPlain() }) {
		return w, false, err
	}
	kind := all.kind
	if policies != nil {
		read, err := c.othersOf(policies["get"], ways, slices.Concat(toNext, toAll))
		if err != nil || read == nil {
			return w, false, err
		}
		removed, err := c.othersOf(policies["delete"], ways, toAll)
		if err != nil || removed == nil {
			return w, false, err
		}
		ways, kind = read, "OperationSelectorRoute"
	}
	w = ways[0]
	var names []string
	for i, other := range ways {
		w.copies, names = append(w.copies, other.to), append(names, other.to.name)
		if i > 0 {
			w.others = append(w.others, other.uses(at))
		}
	}
	c.differs(at, "%s: memverbs has copies in the pools %s: get asks the first, and the next after a miss or an error, and fills the first; set, delete and touch change all, and the first that is up answers; everything else changes the first one and deletes the others", kind, strings.Join(names, ", "))
	return w, true, nil
}

// othersOf returns the ways of the children of the route handle at n, nil if that is none of some kinds, or if they do not lead
// to the same pools as ways.
func (c *config) othersOf(n yamlfile.Node, ways []way, kinds []string) ([]way, error) {
	h, err := c.resolve(n)
	if err != nil || !slices.Contains(kinds, h.kind) {
		return nil, err
	}
	others, err := c.children(h)
	if err != nil || len(others) != len(ways) {
		return nil, err
	}
	for _, w := range others {
		if !w.isPlain() || !slices.ContainsFunc(ways, func(other way) bool { return other.to == w.to && other.use == w.use }) {
			return nil, nil
		}
	}
	return others, nil
}

// children returns where the children of a route handle lead. Pool|A stands for the servers of pool A: each becomes a pool.
func (c *config) children(h handle) ([]way, error) {
	name, ok := strings.CutPrefix(h.argument, "Pool|")
	n, has := h.properties["children"]
	if has && n.IsText() {
		text, err := n.Text()
		if err != nil {
			return nil, err
		}
		name, ok = strings.CutPrefix(text, "Pool|")
	}
	if ok {
		w, err := c.plainly(h.at, name)
		if err != nil {
			return nil, err
		}
		return c.serversOf(w.to), nil
	}
	if !has {
		return nil, nil
	}
	list, err := n.List()
	if err != nil {
		return nil, err
	}
	var ways []way
	for _, n := range list {
		w, err := c.leadsTo(n)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(ways, func(other way) bool { return other.to == w.to }) {
			return nil, nil
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// serversOf returns the ways to the servers of p, as pools of their own.
func (c *config) serversOf(p *pool) (ways []way) {
	if c.single[p] == nil && len(p.servers) > 1 && len(p.servers) <= copies.Most {
		for i, server := range p.servers {
			one := *p
			one.name, one.servers, one.weights = fmt.Sprintf("%s-%d", p.name, i+1), []string{server}, nil
			one.use = nil
			if c.pool(one.name) != nil {
				return nil
			}
			c.single[p] = append(c.single[p], &one)
		}
	}
	for _, one := range c.single[p] {
		ways = append(ways, way{to: one, use: use{layout: "mcrouter"}})
	}
	return ways
}
