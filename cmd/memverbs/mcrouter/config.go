package mcrouter

import (
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/shadow"
)

// config is a configuration of mcrouter that is being converted.
type config struct {
	pools    []*pool
	handles  map[string]yamlfile.Node // route handles that have a name
	inside   map[string]bool          // those of them that are being resolved
	routes   []route
	single   map[*pool][]*pool // the servers of pools that are used as pools of one server
	remarks  []string
	warnings []settings.Warning
}

// route is a prefix of keys, empty for all others, and where they lead.
type route struct {
	prefix string
	strip  bool // the prefix is removed
	way
}

// way is where a route handle leads.
type way struct {
	to     *pool
	use    use // of it
	copies []*pool
	shadow *pool // nil for none
	share  shadow.Share
	others []usage // of the spare, the other copies and the shadow
}

// usage is that the route handle at a place uses a pool.
type usage struct {
	at yamlfile.Node
	of *pool
	use
}

// uses returns what the route handle at n, which leads this way, uses the pool for.
func (w *way) uses(n yamlfile.Node) usage { return usage{n, w.to, w.use} }

// isPlain reports whether the way is that to a pool without a spare, and leads to no other pool.
func (w *way) isPlain() bool { return w.use.spare == "" && len(w.copies) == 0 && w.shadow == nil }

// pool is a pool of mcrouter.
type pool struct {
	name string

	servers        []string
	serversAt      yamlfile.Node
	weights        []string // of the servers, if the pool has its own
	timeout        int      // for an answer, in milliseconds; 0 for the default
	connectTimeout int
	keepsPrefix    bool

	use  *use // what leads to it; nil if nothing does
	used yamlfile.Node
}

// use is how a route handle uses a pool.
type use struct {
	layout  string // of memverbs
	weights string // of the servers, separated by commas; empty for none
	spare   string // the name of the pool that takes the keys of a server that is down; empty for none
	ttl     int    // how long items live there, in seconds; 0 if that is not said
	warm    string // the name of the pool whose items are moved to this one; empty for none
}

// differs adds a warning, which becomes a comment too.
func (c *config) differs(at yamlfile.Node, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w := settings.Warning{At: at.At(), Text: text}
	if slices.Contains(c.warnings, w) { // a route handle may be read for several commands
		return
	}
	c.warnings = append(c.warnings, w)
	c.remarks = append(c.remarks, text)
}

// pool returns the pool of that name, nil if there is none.
func (c *config) pool(name string) *pool {
	for _, p := range c.pools {
		if p.name == name {
			return p
		}
	}
	return nil
}

// texts reads a list of texts.
func texts(n yamlfile.Node) (list []string, err error) {
	err = setting.EachElement(n, func(n yamlfile.Node) error {
		text, err := n.Text()
		list = append(list, text)
		return err
	})
	return list, err
}
