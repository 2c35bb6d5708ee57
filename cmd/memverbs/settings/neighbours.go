package settings

import (
	"slices"

	"github.com/memverbs/memverbs/cmd/memverbs/verify"
	"github.com/memverbs/memverbs/sharding"
)

// Neighbours returns the names and layouts of the other pools of the file that share servers with the chosen pool, and so
// have keys there. The layouts locate a key by the number of a server in the chosen pool, or -1 if that is not among them.
func (c *PoolChoice) Neighbours() (list []verify.Layout) {
	for _, p := range c.others {
		places, shares := otherNumbers{Layout: p.built}, false
		for _, address := range p.addresses() {
			at := slices.Index(c.chosen.addresses(), address)
			places.numbers, shares = append(places.numbers, at), shares || at >= 0
		}
		if shares {
			list = append(list, verify.Layout{Name: p.name, Layout: places})
		}
	}
	return list
}

// otherNumbers is a layout that numbers servers as the chosen pool does.
type otherNumbers struct {
	sharding.Layout
	numbers []int
}

// Locate implements [sharding.Layout], but for -1.
func (o otherNumbers) Locate(key []byte) int { return o.numbers[o.Layout.Locate(key)] }
