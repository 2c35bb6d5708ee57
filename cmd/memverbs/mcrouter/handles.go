package mcrouter

import (
	"maps"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// handle is a route handle: an object with a type, or a text such as PoolRoute|A, which is the type and an argument.
type handle struct {
	at         yamlfile.Node
	kind       string
	argument   string // after the type; empty for an object
	properties map[string]yamlfile.Node
}

// read reads the route handle at n. A text without an argument may be the name of one.
func (c *config) read(n yamlfile.Node) (h handle, err error) {
	h.at = n
	if !n.IsText() {
		h.properties = map[string]yamlfile.Node{}
		if err := setting.EachEntry(n, func(e yamlfile.Entry) error { h.properties[e.Key] = e.Value; return nil }); err != nil {
			return h, err
		}
		kind, ok := h.properties["type"]
		if !ok {
			return h, n.Errorf("this route handle has no type: add \"type\"")
		}
		h.kind, err = kind.Text()
		return h, err
	}
	text, err := n.Text()
	if strings.HasPrefix(text, "@") || strings.HasPrefix(text, "%") {
		return h, n.Errorf("%q is a macro of mcrouter's, which is not read here: give the file in which mcrouter has carried out its macros, which a client is told by \"get __mcrouter__.preprocessed_config\"", text)
	}
	h.kind, h.argument, _ = strings.Cut(text, "|")
	return h, err
}

// lookUp is called with each handle of the configuration before any is used: it notes those that have names.
func (c *config) lookUp(n yamlfile.Node) {
	if list, err := n.List(); err == nil {
		for _, n := range list {
			c.lookUp(n)
		}
		return
	}
	if !n.IsMapping() {
		return
	}
	entries, _ := n.Entries()
	isHandle := slices.ContainsFunc(entries, func(e yamlfile.Entry) bool { return e.Key == "type" })
	for _, e := range entries {
		if name, err := e.Value.Text(); err == nil && isHandle && e.Key == "name" {
			c.handles[name] = n
		}
		c.lookUp(e.Value)
	}
}

// leadsTo returns the pool to which the route handle at n leads, and how it uses it.
func (c *config) leadsTo(n yamlfile.Node) (p *pool, u use, err error) {
	h, err := c.read(n)
	if err != nil {
		return nil, u, err
	}
	if named, ok := c.handles[h.kind]; ok && h.argument == "" && n.IsText() {
		if c.inside[h.kind] {
			return nil, u, n.Errorf("the route handle %q leads to itself", h.kind)
		}
		c.inside[h.kind] = true
		defer delete(c.inside, h.kind)
		return c.leadsTo(named)
	}
	switch h.kind {
	case "PoolRoute", "HashRoute":
		return c.pooled(h)
	case "FailoverRoute", "FailoverWithExptimeRoute":
		return c.failover(h)
	}
	if through, ok := throughOne[h.kind]; ok {
		return c.through(h, through)
	}
	return nil, u, n.Errorf("%s: memverbs has no route like this", h.kind)
}

// throughOne are the route handles of which one child is used, with what memverbs does not do. Of the properties that may name
// it, the first that is there does.
var throughOne = map[string]struct {
	properties []string
	lacks      string
}{
	"AllSyncRoute":           {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing, unless the route is given copies: then set, delete and touch reach all"},
	"AllAsyncRoute":          {[]string{"children"}, "memverbs waits for the answer of one server, the first child's here; the others get nothing"},
	"AllInitialRoute":        {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing, unless the route is given copies: then set, delete and touch reach all"},
	"AllFastestRoute":        {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing, unless the route is given copies: then set, delete and touch reach all"},
	"AllMajorityRoute":       {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing, unless the route is given copies: then set, delete and touch reach all"},
	"LatestRoute":            {[]string{"children"}, "memverbs asks the first child, and no other if that fails"},
	"RandomRoute":            {[]string{"children"}, "memverbs always asks the first child"},
	"LoadBalancerRoute":      {[]string{"children"}, "memverbs always asks the first child"},
	"HostIdRoute":            {[]string{"children"}, "memverbs always asks the first child"},
	"MissFailoverRoute":      {[]string{"children"}, "memverbs asks the first child, and no other after a miss, unless the route is given copies: then it asks the next and fills the first"},
	"WarmUpRoute":            {[]string{"cold"}, "memverbs uses the cold pool, and does not fill it from the warm one"},
	"SlowWarmUpRoute":        {[]string{"target"}, "memverbs sends a cold server all of its requests"},
	"MigrateRoute":           {[]string{"to"}, "memverbs uses what it migrates to from the beginning"},
	"ShadowRoute":            {[]string{"target", "child"}, "memverbs sends no copies of requests"},
	"OperationSelectorRoute": {[]string{"default_policy", "operation_policies"}, "memverbs sends all commands the same way, that of default_policy, or else the first one"},
	"LoggingRoute":           {[]string{"target"}, "memverbs logs slow requests only, see slow"},
	"RateLimitRoute":         {[]string{"target"}, "memverbs limits no rates"},
	"OutstandingLimitRoute":  {[]string{"target"}, "memverbs bounds the memory of requests in flight, see buffer-memory"},
	"ModifyExptimeRoute":     {[]string{"target"}, "memverbs passes on the exptime as it is"},
	"DestinationRoute":       {[]string{"target"}, "memverbs chooses the server by the key"},
}

// through follows one child of the route handle, and warns of what it does besides.
func (c *config) through(h handle, how struct {
	properties []string
	lacks      string
}) (*pool, use, error) {
	c.differs(h.at, "%s: %s", h.kind, how.lacks)
	if name, ok := strings.CutPrefix(h.argument, "Pool|"); ok {
		return c.plainly(h.at, name)
	}
	if h.argument != "" {
		return nil, use{}, h.at.Errorf("%s|%s: memverbs has no route like this", h.kind, h.argument)
	}
	for _, property := range how.properties {
		child, ok := h.properties[property]
		switch {
		case !ok:
		case property == "children":
			return c.firstChild(child)
		case property == "operation_policies":
			entries, err := child.Entries()
			if err != nil {
				return nil, use{}, err
			}
			return c.leadsTo(entries[0].Value)
		default:
			return c.leadsTo(child)
		}
	}
	return nil, use{}, h.at.Errorf("%s lacks %q", h.kind, how.properties[0])
}

// firstChild follows the first of a list of children, or of the servers of a pool, Pool|A.
func (c *config) firstChild(n yamlfile.Node) (*pool, use, error) {
	if n.IsText() {
		text, err := n.Text()
		if name, ok := strings.CutPrefix(text, "Pool|"); ok && err == nil {
			return c.plainly(n, name)
		}
		return nil, use{}, n.Errorf("a list of route handles is expected here, or a text such as \"Pool|A\"")
	}
	list, err := n.List()
	if err != nil {
		return nil, use{}, err
	}
	return c.leadsTo(list[0])
}

// failover follows the first child, and has the second one be the spare of its pool.
func (c *config) failover(h handle) (*pool, use, error) {
	var children []yamlfile.Node
	if normal, ok := h.properties["normal"]; ok {
		children = append(children, normal)
	}
	for _, property := range []string{"children", "failover"} {
		n, ok := h.properties[property]
		if !ok {
			continue
		}
		list, err := n.List()
		if err != nil && (property == "children" || n.IsMapping()) || err == nil && len(list) == 0 {
			return nil, use{}, n.Errorf("%s: a list of route handles is expected here: the servers of one pool don't take each other's keys in memverbs", h.kind)
		}
		if err != nil {
			list = []yamlfile.Node{n}
		}
		children = append(children, list...)
	}
	if len(children) < 2 {
		return nil, use{}, h.at.Errorf("%s: two pools are expected here, one for the other", h.kind)
	}
	p, u, err := c.leadsTo(children[0])
	if err != nil {
		return nil, u, err
	}
	spare, of, err := c.leadsTo(children[1])
	switch {
	case err != nil:
		return nil, u, err
	case spare == p || u.spare != "" || of.spare != "" || len(children) > 2:
		return nil, u, children[len(children)-1].Errorf("%s: memverbs has one spare pool for a pool, another one than itself", h.kind)
	}
	u.spare = spare.name
	if n, ok := h.properties["failover_exptime"]; ok {
		err = setting.SetFrom(n, "failover_exptime", func(text string) (err error) {
			u.ttl, err = setting.Count(1, 30*24*3600).Read(text)
			return err
		})
	}
	c.differs(h.at, "%s: while a server of pool %s is down, get, set, add and delete of its keys go to pool %s, and nothing lives there for longer than spare-ttl; memverbs refuses everything else", h.kind, p.name, spare.name)
	if err == nil {
		err = spare.usedBy(children[1], of)
	}
	return p, u, err
}

// plainly uses a pool by mcrouter's default hash function.
func (c *config) plainly(n yamlfile.Node, name string) (*pool, use, error) {
	p := c.pool(name)
	if p == nil {
		return nil, use{}, n.Errorf("there is no pool %q", name)
	}
	return p, use{layout: "mcrouter"}, nil
}

// layouts are memverbs's layouts for mcrouter's hash functions.
var layouts = map[string]string{"Ch3": "mcrouter", "Crc32": "mcrouter-crc32", "WeightedCh3": "mcrouter-weighted"}

// pooled is PoolRoute, or HashRoute for the servers of a pool.
func (c *config) pooled(h handle) (p *pool, u use, err error) {
	name, at, hash := h.argument, h.at, ""
	for _, key := range slices.Sorted(maps.Keys(h.properties)) {
		switch n := h.properties[key]; key {
		case "pool", "children":
			if at = n; !n.IsText() {
				err = n.Errorf("%s: the name of a pool is expected here", h.kind)
			} else {
				name, err = n.Text()
			}
		case "hash":
			hash, u.weights, err = hashOf(n)
		case "hash_func":
			hash, err = n.Text()
		case "weights":
			u.weights, err = weights(n)
		case "salt":
			err = n.Errorf("salt: memverbs has no layout with a salt")
		case "type", "name":
		default:
			c.differs(n, "%s: memverbs has nothing like %s, which is left out", h.kind, key)
		}
		if err != nil {
			return nil, u, err
		}
	}
	name, hashed, _ := strings.Cut(strings.TrimPrefix(name, "Pool|"), "|")
	if hashed != "" {
		hash = hashed
	}
	p, plain, err := c.plainly(at, name)
	if err == nil && hash != "" {
		u.layout, err = layoutFor(at, hash)
	} else {
		u.layout = plain.layout
	}
	switch {
	case err != nil:
		return nil, u, err
	case hash == "WeightedCh3" && u.weights == "":
		u.weights = strings.Join(p.weights, ",")
	}
	if (hash == "WeightedCh3") != (u.weights != "") {
		return nil, u, at.Errorf("weights and the hash function WeightedCh3 go together")
	}
	return p, u, nil
}

// layoutFor returns memverbs's layout for a hash function of mcrouter's.
func layoutFor(at yamlfile.Node, hash string) (string, error) {
	layout, ok := layouts[hash]
	if !ok {
		return "", at.Errorf("memverbs has no layout for mcrouter's hash function %q: it has those for Ch3, Crc32 and WeightedCh3", hash)
	}
	return layout, nil
}

// hashOf reads a hash function: its name, or an object with the name and the weights of servers.
func hashOf(n yamlfile.Node) (name, of string, err error) {
	if n.IsText() {
		name, err = n.Text()
		return name, "", err
	}
	err = setting.EachEntry(n, func(e yamlfile.Entry) (err error) {
		switch e.Key {
		case "hash_func":
			name, err = e.Value.Text()
		case "weights":
			of, err = weights(e.Value)
		default:
			err = e.At.Errorf("%s: memverbs has no layout with it", e.Key)
		}
		return err
	})
	return name, of, err
}

// weights reads a list of weights.
func weights(n yamlfile.Node) (string, error) {
	var list []string
	err := setting.EachElement(n, func(n yamlfile.Node) error {
		text, err := n.Text()
		list = append(list, text)
		return err
	})
	return strings.Join(list, ","), err
}
