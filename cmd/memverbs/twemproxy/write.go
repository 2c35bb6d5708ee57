package twemproxy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/converted"
)

// write returns the file of memverbs for the configuration of twemproxy at path. It has the pools, and says which were
// left out.
func write(path string, pools []*pool, leftOut []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by memverbs import from %s.\n#\n", converted.Comment(path))
	b.WriteString(`# Whatever its settings, memverbs differs from twemproxy in this:
#  - flush_all is refused with an error, and twemproxy closes the connection;
#  - values that are longer than max-item-size, 1MB, are refused: set it if memcached's -I is;
#  - no more than max-clients, 10000, may be connected at a time.
`)
	for _, name := range leftOut {
		fmt.Fprintf(&b, "#\n# Pool %s is for Redis, which memverbs does not serve: it is left out.\n", converted.Comment(name))
	}
	b.WriteString("\npools:\n")
	for _, p := range pools {
		p.write(&b)
	}
	return []byte(b.String())
}

func (p *pool) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s:\n", converted.Key(p.name))
	for _, remark := range p.remarks {
		fmt.Fprintf(b, "    # %s\n", converted.Comment(remark))
	}
	fmt.Fprintf(b, "    listen: [%s]\n", strconv.Quote(p.address.String()))
	if p.mode != "" {
		fmt.Fprintf(b, "    socket-mode: %s\n", p.mode)
	}
	fmt.Fprintf(b, "    layout: %s\n", p.layout())
	if p.tag != "" {
		fmt.Fprintf(b, "    hash-tag: %s\n", strconv.Quote(p.tag))
	}
	if p.timeout > 0 {
		fmt.Fprintf(b, "    timeout: %dms\n", p.timeout)
	}
	b.WriteString("    servers:\n")
	for _, s := range p.servers {
		fmt.Fprintf(b, "      - %s\n", strconv.Quote(s.Text))
	}
}
