package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// Summary returns lines on what the settings mean.
func (s *All) Summary() string {
	var b strings.Builder
	for _, p := range s.Pools {
		fmt.Fprintf(&b, "pool %s: %s%s, layout %s\n", p.name, p.those(), p.secrecy(), p.Layout)
		if p.move == copyOver {
			fmt.Fprintf(&b, "pool %s: when its servers change, plain keys that move are moved with their items, for about %v\n", p.name, movesFor(p.settle))
		}
		if p.warmFrom != "" {
			fmt.Fprintf(&b, "pool %s: the items of pool %s are moved to it, once\n", p.name, p.warmFrom)
		}
		for _, n := range p.near {
			fmt.Fprintf(&b, "pool %s: gets of %s are answered by the process with values of up to %v ago\n", p.name, keysWith(n.Text), n.For)
		}
		for _, h := range p.holdMisses {
			fmt.Fprintf(&b, "pool %s: gets of %s that miss wait for up to %v until another client has stored the key, if one has got the miss before\n", p.name, keysWith(h.Text), h.For)
		}
		for _, n := range p.namespaces {
			fmt.Fprintf(&b, "pool %s: nsflush hides %s\n", p.name, n.Describe())
		}
	}
	b.WriteString(s.meant(copiesMeant))
	b.WriteString(s.meant(shadowMeant))
	for _, l := range s.Listeners {
		fmt.Fprintf(&b, "listen at %v%s: %s\n", l.Address, l.secrecy(), ways(l.routes))
	}
	return b.String()
}

// those tells how many servers the pool has, or what lists them.
func (p *Pool) those() string {
	if p.IsFound() {
		return fmt.Sprintf("servers by %s, asked every %v", p.Servers[0].Source, p.discoverEvery)
	}
	return plural(len(p.Servers), "server")
}

// movesFor returns how long a move takes at least: two times settle until items are looked for, and one until it is over.
func movesFor(settle time.Duration) time.Duration { return 3 * settle }

// keysWith tells which keys a prefix stands for.
func keysWith(prefix string) string {
	if prefix == "" {
		return "all keys"
	}
	return prefix + "*"
}

// ways tells where routes lead.
func ways(routes []config.Route) string {
	var ways []string
	others := ""
	for _, r := range routes {
		if r.Prefix == "" {
			others = "other keys to " + theirPools(r)
			continue
		}
		way := fmt.Sprintf("%s* to %s", r.Prefix, theirPools(r))
		if r.Strip {
			way += " without this prefix"
		}
		ways = append(ways, way)
	}
	if len(ways) == 0 {
		return "all keys to " + theirPools(routes[0])
	}
	return strings.Join(append(ways, others), ", ")
}

// theirPools tells which pools have the keys of a route.
func theirPools(r config.Route) string {
	switch {
	case r.Shadow != "":
		return fmt.Sprintf("%s, with %v of them to the shadow %s", r.Pool, r.Share, r.Shadow)
	case len(r.Copies) == 0:
		return r.Pool
	}
	return fmt.Sprintf("%s, with copies in %s", r.Pool, strings.Join(r.Copies[1:], " and "))
}

// meant returns what tell tells of the routes, each line once.
func (s *All) meant(tell func(config.Route) string) string {
	var lines []string
	for _, l := range s.Listeners {
		for _, r := range l.routes {
			if line := tell(r); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "")
}

// copiesMeant returns a line on what the copies of a route mean, empty if it has none.
func copiesMeant(r config.Route) string {
	if len(r.Copies) == 0 {
		return ""
	}
	return fmt.Sprintf("copies of %s: get asks %s; set, delete and touch change all of them; everything else changes %s and deletes the others\n",
		keysWith(r.Prefix), strings.Join(r.Copies, ", then "), r.Pool)
}

// shadowMeant returns a line on what the shadow of a route means, empty if it has none.
func shadowMeant(r config.Route) string {
	if r.Shadow == "" {
		return ""
	}
	return fmt.Sprintf("shadow of %s: requests on %v of the keys, but no verbs, are sent to %s too, if it can take them at once; clients get the answers of %s, those of %s are counted\n",
		keysWith(r.Prefix), r.Share, r.Shadow, r.Pool, r.Shadow)
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// secrecy tells how connections to the servers are secured, for a summary.
func (p *Pool) secrecy() string {
	switch {
	case p.Secured == nil:
		return ""
	case p.ServerTLS.cert == "":
		return " by TLS"
	}
	return " by TLS with a certificate of its own"
}

// secrecy tells how connections of clients are secured, for a summary.
func (l *listener) secrecy() string {
	switch {
	case l.tls.built == nil || l.Address.Network != "tcp":
		return ""
	case l.tls.clientCA == "":
		return " by TLS"
	}
	return " by TLS, with certificates of clients"
}
