package settings

import (
	"slices"

	"github.com/memverbs/memverbs/sharding"
)

// Neighbour is another pool of a file that shares servers with the chosen pool, and so has keys
// there.
type Neighbour struct {
	Name string
	// Layout locates a key by the number of a server in the chosen pool, or -1 if that is not among them.
	sharding.Layout
}

// Neighbours returns the neighbours of the chosen pool.
func (c *PoolChoice) Neighbours() (list []Neighbour) {
	for _, p := range c.others {
		places, shares := otherNumbers{Layout: p.built}, false
		for _, address := range p.addresses() {
			at := slices.Index(c.chosen.addresses(), address)
			places.numbers, shares = append(places.numbers, at), shares || at >= 0
		}
		if shares {
			list = append(list, Neighbour{p.name, places})
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
