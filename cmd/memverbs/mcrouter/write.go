package mcrouter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/converted"
)

// write returns the file of memverbs for the configuration of mcrouter at path.
func (c *config) write(path string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by memverbs import from %s.\n#\n", converted.Comment(path))
	b.WriteString(`# Whatever its settings, memverbs differs from mcrouter in this:
#  - a delete for a server that is down is refused, and mcrouter writes it to a log for later; both delete the key
#    before the server is used again, memverbs by itself, see on-return;
#  - keys that begin with __mcrouter__. are keys like others: see stats, and the setting admin;
#  - values that are longer than max-item-size, 1MB, are refused: set it if memcached's -I is;
#  - no more than max-clients, 10000, may be connected at a time.
`)
	for _, remark := range c.remarks {
		fmt.Fprintf(&b, "#\n# %s\n", converted.Comment(remark))
	}
	b.WriteString("\npools:\n")
	for _, p := range c.pools {
		servers := c.single[p]
		if p.use != nil || !slices.ContainsFunc(servers, func(one *pool) bool { return one.use != nil }) {
			p.write(&b)
		}
		for _, one := range servers {
			if one.use != nil {
				one.write(&b)
			}
		}
	}
	b.WriteString("\nlisteners:\n  # mcrouter is told its port by its flag -p: write that here.\n  - listen: [\"127.0.0.1:5000\"]\n    routes:\n")
	for _, r := range c.routes {
		fmt.Fprintf(&b, "      %s: %s\n", strconv.Quote(r.prefix), r.value())
	}
	return []byte(b.String())
}

// value returns what stands for the route after its prefix.
func (r *route) value() string {
	text := "pool: " + strconv.Quote(r.to.name)
	if len(r.copies) > 0 {
		var names []string
		for _, p := range r.copies {
			names = append(names, strconv.Quote(p.name))
		}
		text = "copies: [" + strings.Join(names, ", ") + "]"
	}
	if r.shadow != nil {
		text += fmt.Sprintf(", shadow: %s, share: %v", strconv.Quote(r.shadow.name), r.share)
	}
	switch {
	case r.strip:
		text += ", strip: true"
	case text == "pool: "+strconv.Quote(r.to.name):
		return strconv.Quote(r.to.name)
	}
	return "{" + text + "}"
}

// write writes the pool. Nothing is written of one that no route leads to.
func (p *pool) write(b *strings.Builder) {
	if p.use == nil {
		fmt.Fprintf(b, "  # Pool %s is left out: no route leads to it.\n", converted.Comment(p.name))
		return
	}
	fmt.Fprintf(b, "  %s:\n    layout: %s\n", converted.Key(p.name), p.use.layout)
	switch {
	case p.use.spare == "":
		b.WriteString("    on-down: miss\n") // as mcrouter answers
	default:
		fmt.Fprintf(b, "    on-down: %s\n", strconv.Quote("spare:"+p.use.spare))
	}
	if p.use.ttl > 0 {
		fmt.Fprintf(b, "    spare-ttl: %ds\n", p.use.ttl)
	}
	if p.use.warm != "" {
		fmt.Fprintf(b, "    warm-from: %s\n", strconv.Quote(p.use.warm))
	}
	if p.timeout > 0 {
		fmt.Fprintf(b, "    timeout: %dms\n", p.timeout)
	}
	if p.connectTimeout > 0 {
		fmt.Fprintf(b, "    connect-timeout: %dms\n", p.connectTimeout)
	}
	b.WriteString("    servers:\n")
	servers, _ := p.weighted()
	for _, s := range servers {
		fmt.Fprintf(b, "      - %s\n", strconv.Quote(s))
	}
}
