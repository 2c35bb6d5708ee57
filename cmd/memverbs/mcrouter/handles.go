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
	entries, _ := n.Entries() // none of a text
	for _, e := range entries {
		if name, err := e.Value.Text(); err == nil && e.Key == "name" && n.Has("type") {
			c.handles[name] = n
		}
		c.lookUp(e.Value)
	}
}

// leadsTo returns where the route handle at n leads.
func (c *config) leadsTo(n yamlfile.Node) (way, error) {
	h, err := c.read(n)
	if err != nil {
		return way{}, err
	}
	if named, ok := c.handles[h.kind]; ok && h.argument == "" && n.IsText() {
		if c.inside[h.kind] {
			return way{}, n.Errorf("the route handle %q leads to itself", h.kind)
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
	case "ShadowRoute":
		return c.shadowRoute(h)
	case "WarmUpRoute":
		return c.warmUp(h)
	}
	if w, is, err := c.copied(h); is || err != nil {
		return w, err
	}
	if how, ok := throughOne[h.kind]; ok {
		return c.through(h, how)
	}
	return way{}, n.Errorf("%s: memverbs has no route like this", h.kind)
}

// through is a kind of route handle of which one child is used.
type through struct {
	properties []string // that may name the child; the first that is there does
	lacks      string   // what memverbs does not do
}

// throughOne are the kinds of route handles of which one child is used.
var throughOne = map[string]through{
	"AllSyncRoute":           {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing"},
	"AllAsyncRoute":          {[]string{"children"}, "memverbs waits for the answer of one server, the first child's here; the others get nothing"},
	"AllInitialRoute":        {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing"},
	"AllFastestRoute":        {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing"},
	"AllMajorityRoute":       {[]string{"children"}, "memverbs sends each request to one server, the first child's here; the others get nothing"},
	"LatestRoute":            {[]string{"children"}, "memverbs asks the first child, and no other if that fails"},
	"RandomRoute":            {[]string{"children"}, "memverbs always asks the first child"},
	"LoadBalancerRoute":      {[]string{"children"}, "memverbs always asks the first child"},
	"HostIdRoute":            {[]string{"children"}, "memverbs always asks the first child"},
	"MissFailoverRoute":      {[]string{"children"}, "memverbs asks the first child, and no other after a miss, unless the route is given copies: then it asks the next and fills the first"},
	"SlowWarmUpRoute":        {[]string{"target"}, "memverbs sends a cold server all of its requests"},
	"MigrateRoute":           {[]string{"to"}, "memverbs uses what it migrates to from the beginning"},
	"OperationSelectorRoute": {[]string{"default_policy", "operation_policies"}, "memverbs sends all commands the same way, that of default_policy, or else that of get or set"},
	"LoggingRoute":           {[]string{"target"}, "memverbs logs slow requests only, see slow"},
	"RateLimitRoute":         {[]string{"target"}, "memverbs limits no rates"},
	"OutstandingLimitRoute":  {[]string{"target"}, "memverbs bounds the memory of requests in flight, see buffer-memory"},
	"ModifyExptimeRoute":     {[]string{"target"}, "memverbs passes on the exptime as it is"},
	"DestinationRoute":       {[]string{"target"}, "memverbs chooses the server by the key"},
}

// through follows one child of the route handle, and warns of what it does besides.
func (c *config) through(h handle, how through) (way, error) {
	c.differs(h.at, "%s: %s", h.kind, how.lacks)
	if name, ok := strings.CutPrefix(h.argument, "Pool|"); ok {
		return c.plainly(h.at, name)
	}
	if h.argument != "" {
		return way{}, h.at.Errorf("%s|%s: memverbs has no route like this", h.kind, h.argument)
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
				return way{}, err
			}
			for _, command := range []string{"get", "set"} {
				if i := slices.IndexFunc(entries, func(e yamlfile.Entry) bool { return e.Key == command }); i >= 0 {
					return c.leadsTo(entries[i].Value)
				}
			}
			return c.leadsTo(entries[0].Value)
		default:
			return c.leadsTo(child)
		}
	}
	return way{}, h.at.Errorf("%s lacks %q", h.kind, how.properties[0])
}

// firstChild follows the first of a list of children, or of the servers of a pool, Pool|A.
func (c *config) firstChild(n yamlfile.Node) (way, error) {
	if n.IsText() {
		text, err := n.Text()
		if name, ok := strings.CutPrefix(text, "Pool|"); ok && err == nil {
			return c.plainly(n, name)
		}
		return way{}, n.Errorf("a list of route handles is expected here, or a text such as \"Pool|A\"")
	}
	list, err := n.List()
	if err != nil {
		return way{}, err
	}
	return c.leadsTo(list[0])
}

// failover follows the first child, and has the second one be the spare of its pool.
func (c *config) failover(h handle) (way, error) {
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
			return way{}, n.Errorf("%s: a list of route handles is expected here: the servers of one pool don't take each other's keys in memverbs", h.kind)
		}
		if err != nil {
			list = []yamlfile.Node{n}
		}
		children = append(children, list...)
	}
	if len(children) < 2 {
		return way{}, h.at.Errorf("%s: two pools are expected here, one for the other", h.kind)
	}
	w, err := c.leadsTo(children[0])
	if err != nil {
		return w, err
	}
	spare, err := c.leadsTo(children[1])
	switch {
	case err != nil:
		return w, err
	case spare.to == w.to || !w.isPlain() || !spare.isPlain() || len(children) > 2:
		return w, children[len(children)-1].Errorf("%s: memverbs has one spare pool for a pool, another one than itself", h.kind)
	}
	w.use.spare = spare.to.name
	if n, ok := h.properties["failover_exptime"]; ok {
		err = setting.SetFrom(n, "failover_exptime", func(text string) (err error) {
			w.use.ttl, err = setting.Count(1, 30*24*3600).Read(text)
			return err
		})
	}
	c.differs(h.at, "%s: while a server of pool %s is down, get, set, add and delete of its keys go to pool %s, and nothing lives there for longer than spare-ttl; memverbs refuses everything else", h.kind, w.to.name, spare.to.name)
	w.others = append(w.others, spare.uses(children[1]))
	return w, err
}

// warmUp is WarmUpRoute: its cold pool, to which the items of the warm one are moved.
func (c *config) warmUp(h handle) (way, error) {
	var pools []way
	for _, property := range []string{"cold", "warm"} {
		n, ok := h.properties[property]
		if !ok {
			return way{}, h.at.Errorf("%s lacks %q", h.kind, property)
		}
		w, err := c.leadsTo(n)
		if err != nil {
			return w, err
		}
		pools = append(pools, w)
	}
	cold, warm := pools[0], pools[1]
	if cold.to == warm.to || !cold.isPlain() || !warm.isPlain() {
		return cold, h.at.Errorf("%s: memverbs moves the items of a pool to another one, both without spare pools, copies and shadows", h.kind)
	}
	cold.use.warm = warm.to.name
	c.differs(h.at, "%s: memverbs moves the items of pool %s to pool %s, all of them and once, rather than copying those that are asked for: nobody else may write to pool %s, and when the log says that they have moved, it can be left out",
		h.kind, warm.to.name, cold.to.name, warm.to.name)
	cold.others = append(cold.others, warm.uses(h.properties["warm"]))
	return cold, nil
}

// plainly uses a pool by mcrouter's default hash function.
func (c *config) plainly(n yamlfile.Node, name string) (way, error) {
	p := c.pool(name)
	if p == nil {
		return way{}, n.Errorf("there is no pool %q", name)
	}
	return way{to: p, use: use{layout: "mcrouter"}}, nil
}

// layouts are memverbs's layouts for mcrouter's hash functions.
var layouts = map[string]string{"Ch3": "mcrouter", "Crc32": "mcrouter-crc32", "WeightedCh3": "mcrouter-weighted"}

// pooled is PoolRoute, or HashRoute for the servers of a pool.
func (c *config) pooled(h handle) (w way, err error) {
	name, at, hash, weighted := h.argument, h.at, "", ""
	for _, key := range slices.Sorted(maps.Keys(h.properties)) {
		switch n := h.properties[key]; key {
		case "pool", "children":
			if at = n; !n.IsText() {
				err = n.Errorf("%s: the name of a pool is expected here", h.kind)
			} else {
				name, err = n.Text()
			}
		case "hash":
			hash, weighted, err = hashOf(n)
		case "hash_func":
			hash, err = n.Text()
		case "weights":
			weighted, err = weights(n)
		case "salt":
			err = n.Errorf("salt: memverbs has no layout with a salt")
		case "type", "name", "shadows":
		default:
			c.differs(n, "%s: memverbs has nothing like %s, which is left out", h.kind, key)
		}
		if err != nil {
			return w, err
		}
	}
	name, hashed, _ := strings.Cut(strings.TrimPrefix(name, "Pool|"), "|")
	if hashed != "" {
		hash = hashed
	}
	w, err = c.plainly(at, name)
	if err == nil && hash != "" {
		w.use.layout, err = layoutFor(at, hash)
	}
	switch w.use.weights = weighted; {
	case err != nil:
		return w, err
	case hash == "WeightedCh3" && weighted == "":
		w.use.weights = strings.Join(w.to.weights, ",")
	}
	if (hash == "WeightedCh3") != (w.use.weights != "") {
		return w, at.Errorf("weights and the hash function WeightedCh3 go together")
	}
	return w, c.shadowed(h, &w)
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
	list, err := texts(n)
	return strings.Join(list, ","), err
}
