package mcrouter

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// readPools reads the pools. Those that take the servers of another one come after all others.
func (c *config) readPools(n yamlfile.Node) error {
	var later []yamlfile.Entry
	err := setting.EachEntry(n, func(e yamlfile.Entry) error {
		if e.Value.Has("inherit") {
			later = append(later, e)
			return nil
		}
		return c.readPool(e)
	})
	for _, e := range later {
		err = errors.Join(err, c.readPool(e))
	}
	return err
}

// readPool reads a pool.
func (c *config) readPool(e yamlfile.Entry) error {
	if err := settings.CheckName(e.Key); err != nil {
		return e.At.Errorf("%v", err)
	}
	p := &pool{name: e.Key}
	err := setting.EachEntry(e.Value, func(e yamlfile.Entry) error { return c.readProperty(p, e) })
	if len(p.servers) == 0 && err == nil {
		err = e.At.Errorf("pool %s has no servers: add \"servers\"", p.name)
	}
	c.pools = append(c.pools, p)
	return err
}

// readProperty reads a property of a pool.
func (c *config) readProperty(p *pool, e yamlfile.Entry) (err error) {
	switch e.Key {
	case "servers":
		p.serversAt = e.Value
		return setting.EachElement(e.Value, func(n yamlfile.Node) error { return p.readServer(n) })
	case "inherit":
		text, err := e.Value.Text()
		from := c.pool(text)
		if err == nil && from == nil {
			return e.Value.Errorf("inherit: there is no pool %q before this one", text)
		}
		if err == nil && len(p.servers) == 0 {
			p.servers, p.serversAt = from.servers, from.serversAt
		}
		return err
	case "weights":
		p.weights, err = texts(e.Value)
		return err
	case "server_timeout", "connect_timeout":
		return setting.SetFrom(e.Value, e.Key, func(text string) error {
			n, err := setting.Count(1, math.MaxInt32).Read(text)
			if e.Key == "server_timeout" {
				p.timeout = n
			} else {
				p.connectTimeout = n
			}
			return err
		})
	case "keep_routing_prefix":
		return setting.SetFrom(e.Value, e.Key, func(text string) (err error) {
			p.keepsPrefix, err = setting.YesOrNo().Read(text)
			return err
		})
	case "protocol":
		return setting.SetFrom(e.Value, e.Key, func(text string) error {
			if text != "ascii" {
				return fmt.Errorf("pool %s speaks %q, a protocol of mcrouter's own; memverbs speaks memcached's text protocol to its servers", p.name, text)
			}
			return nil
		})
	}
	c.differs(e.At, "%s of pool %s has no meaning for memverbs, or another name there, and is left out", e.Key, p.name)
	return nil
}

// readServer reads a server: host:port, after which mcrouter may say how it speaks with it.
func (p *pool) readServer(n yamlfile.Node) error {
	return setting.SetFrom(n, "servers", func(text string) error {
		address, rest := text, ""
		if host := strings.LastIndexByte(text, ']') + 1; !strings.HasPrefix(text, "unix:") {
			if parts := strings.SplitN(text[host:], ":", 3); len(parts) == 3 {
				address, rest = text[:host]+parts[0]+":"+parts[1], parts[2]
			}
		}
		if rest != "" && rest != "ascii" && rest != "ascii:plain" && rest != "ascii:plain:plain" {
			return fmt.Errorf("server %q: %q is not memcached's text protocol without encryption", text, rest)
		}
		_, err := settings.Memcached().Read(address)
		p.servers = append(p.servers, address)
		return err
	})
}

// usedBy notes how the route handle at n uses the pool. All that do must do so alike, since that is a property of the pool
// in memverbs.
func (p *pool) usedBy(n yamlfile.Node, u use) error {
	if p.use == nil {
		p.use, p.used = &u, n
		return p.check(n)
	}
	if *p.use != u {
		return n.Errorf("pool %s is used in another way than at %s: memverbs has one hash function and one spare for a pool; give it two names, with the same servers", p.name, p.used.At())
	}
	return nil
}

// check refuses servers on which memverbs can't place keys.
func (p *pool) check(n yamlfile.Node) error {
	list, err := p.weighted()
	if err != nil {
		return n.Errorf("%v", err)
	}
	var servers []settings.Server
	for _, text := range list {
		s, err := settings.Memcached().Read(text)
		if err != nil {
			return p.serversAt.Errorf("servers: %v", err)
		}
		servers = append(servers, s)
	}
	place := settings.Placement{Servers: servers, Layout: p.use.layout}
	if _, err := place.Build(); err != nil {
		return p.serversAt.Errorf("servers: %v", err)
	}
	return nil
}

// weighted returns the servers, with the weights that the pool is used with.
func (p *pool) weighted() ([]string, error) {
	if p.use == nil || p.use.weights == "" {
		return p.servers, nil
	}
	weights := strings.Split(p.use.weights, ",")
	if len(weights) != len(p.servers) {
		return nil, fmt.Errorf("pool %s has %d servers, and there are %d weights", p.name, len(p.servers), len(weights))
	}
	var list []string
	for i, text := range weights {
		w, err := strconv.ParseFloat(text, 64)
		if err != nil || !(w > 0 && w <= 1) {
			return nil, fmt.Errorf("weight %q of %s is not above 0 and at most 1", text, p.servers[i])
		}
		list = append(list, p.servers[i]+":"+strconv.FormatFloat(w, 'f', -1, 64))
	}
	return list, nil
}
