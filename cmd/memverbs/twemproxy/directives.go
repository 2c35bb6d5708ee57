package twemproxy

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/sharding"
)

// read reads the settings of the pool.
func (p *pool) read(e yamlfile.Entry) error {
	given := make(map[string]bool)
	known := p.directives()
	err := setting.EachEntry(e.Value, func(e yamlfile.Entry) error {
		given[e.Key] = true
		if e.Key == "servers" {
			return p.readServers(e.Value)
		}
		read := known[e.Key]
		if read == nil {
			hint := ""
			if meant := setting.Nearest(e.Key, append(slices.Sorted(maps.Keys(known)), "servers")); meant != "" {
				hint = fmt.Sprintf("; is %q meant?", meant)
			}
			p.differs(e.At, "%s is no setting of twemproxy 0.5.0, so it is left out%s", e.Key, hint)
			return nil
		}
		return setting.SetFrom(e.Value, e.Key, func(text string) error { return read(e.Value, text) })
	})
	for _, key := range []string{"listen", "servers"} {
		if !given[key] {
			err = errors.Join(err, e.At.Errorf("pool %s has no %s: add %q", p.name, key, key+":"))
		}
	}
	if err != nil {
		return err
	}
	if p.timeout == 0 {
		p.differs(p.at, "pool %s has no timeout, so twemproxy waits for ever for a server; memverbs waits for a second", p.name)
	}
	return p.check()
}

// directive reads the value of one of twemproxy's settings, text, which is at n.
type directive func(n yamlfile.Node, text string) error

// directives returns the directives of twemproxy's settings by their names. The setting servers, a list, has none.
func (p *pool) directives() map[string]directive {
	ignored := number(func(int) {})
	return map[string]directive{
		"listen":       p.readListen,
		"hash":         p.readHash,
		"hash_tag":     p.readTag,
		"distribution": p.readDistribution,
		"timeout":      number(func(n int) { p.timeout = n }),

		"redis": whenTrue(func(n yamlfile.Node) { p.isRedis, p.redisAt = true, n }),
		"auto_eject_hosts": whenTrue(func(n yamlfile.Node) {
			p.differs(n, "auto_eject_hosts: while a server fails, twemproxy moves its keys to others; memverbs refuses them until it is back, so that no client reads stale values; with on-down: miss, gets of them are misses meanwhile, and with on-down: spare:<pool> another pool takes them")
		}),
		"preconnect":   whenTrue(func(yamlfile.Node) {}), // memverbs does it anyway,
		"tcpkeepalive": whenTrue(func(yamlfile.Node) {}), // and this
		"server_connections": number(func(n int) {
			if n > 1 {
				p.remark("server_connections: %d: memverbs has one or two connections to each server for each of its loops", n)
			}
		}),
		"backlog": number(func(n int) {
			p.remark("backlog: %d: memverbs takes the system's limit", n)
		}),
		"client_connections": number(func(n int) {
			p.remark("client_connections: %d: twemproxy 0.5.0 ignores this; memverbs has max-clients for all pools", n)
		}),
		"server_retry_timeout": number(func(n int) {
			p.remark("server_retry_timeout: %d: memverbs tries to reconnect several times a second, and less often after a while", n)
		}),
		"server_failure_limit": ignored, // for auto_eject_hosts
		"redis_db":             ignored,
		"redis_auth":           func(yamlfile.Node, string) error { return nil },
	}
}

// number returns the directive of a setting that is a number. It passes the number to set.
func number(set func(int)) directive {
	return func(_ yamlfile.Node, text string) error {
		n, err := setting.Count(0, math.MaxInt32).Read(text)
		if err == nil {
			set(n)
		}
		return err
	}
}

// whenTrue returns the directive of a setting that is true or false. It calls do if the setting is true.
func whenTrue(do func(n yamlfile.Node)) directive {
	return func(n yamlfile.Node, text string) error {
		is, err := setting.YesOrNo().Read(text)
		if is && err == nil {
			do(n)
		}
		return err
	}
}

// readListen reads host:port, or the path of a socket and perhaps its permissions.
func (p *pool) readListen(n yamlfile.Node, text string) (err error) {
	p.listenAt = n
	if strings.HasPrefix(text, "/") {
		text, p.mode, _ = strings.Cut(text, " ")
		if p.mode != "" {
			_, err = setting.Permissions().Read(p.mode)
		}
		p.address = listen.Address{Network: "unix", Address: text}
		return err
	}
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return fmt.Errorf("%q is not host:port", text)
	}
	host := text[:colon]
	switch host {
	case "*": // the C library takes it for the loopback address
		host = "localhost"
		p.differs(n, "listen: %s: twemproxy listens at the loopback address only, perhaps by IPv6, and memverbs at 127.0.0.1: write %s for all addresses of this machine", text, text[colon:])
	case "0":
		host = "0.0.0.0"
	}
	p.address, err = listen.Parse(net.JoinHostPort(host, text[colon+1:]))
	if err == nil && settings.EndpointOf(p.address).All() && host != "::" {
		p.differs(n, "listen: %s: twemproxy takes clients by IPv4 only, and memverbs by IPv6 too: name an address of this machine if they should not reach it", text)
	}
	return err
}

func (p *pool) readHash(_ yamlfile.Node, text string) error {
	p.hash = text
	_, err := sharding.NewTwemproxy("ketama", text)
	return err
}

func (p *pool) readTag(_ yamlfile.Node, text string) error {
	p.tag = text
	return settings.CheckHashTag(text)
}

func (p *pool) readDistribution(n yamlfile.Node, text string) error {
	if text == "random" {
		p.differs(n, "distribution random: twemproxy sends each request to a random server, which memverbs does not do; with ketama each key has one server")
		return nil
	}
	p.distribution = text
	_, err := sharding.NewTwemproxy(text, "md5")
	return err
}

func (p *pool) readServers(n yamlfile.Node) error {
	p.serversAt = n
	return setting.EachElement(n, func(n yamlfile.Node) error {
		return setting.SetFrom(n, "servers", func(text string) error {
			s, err := settings.Memcached().Read(bracketed(text))
			p.servers = append(p.servers, s)
			return err
		})
	})
}

// bracketed puts the host of a server into brackets if it is an IPv6 address, since twemproxy's
// configuration has it without brackets.
func bracketed(text string) string {
	address, name, named := strings.Cut(text, " ")
	parts := strings.Split(address, ":")
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "[") || len(parts) <= 3 {
		return text
	}
	host := len(parts) - 2
	text = "[" + strings.Join(parts[:host], ":") + "]:" + strings.Join(parts[host:], ":")
	if named {
		text += " " + name
	}
	return text
}
