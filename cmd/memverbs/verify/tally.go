package verify

import (
	"math"

	"github.com/memverbs/memverbs/verbs/catalog"
)

// missesKept is how many keys that are elsewhere are kept as examples, for each server and
// layout.
const missesKept = 6

// tally counts which keys of one server each layout finds there.
type tally struct {
	layouts []Layout
	server  int
	share   float64 // of the server in all keys
	owners  [][]byte

	keys   int
	chance float64 // how many a layout that has nothing to do with the pool finds
	err    error
	fits   []fit // of the layouts
}

// fit says how many keys one layout finds.
type fit struct {
	found  int    // with those of structures
	owned  int    // of these, those that are not where they belong themselves, but their structure does
	misses []miss // some of the keys not found, the first
}

// miss is a key that is not where a layout looks for it.
type miss struct {
	key     string
	belongs int   // the number of the server where the layout looks for it
	used    int64 // as in item
}

func newTally(layouts []Layout, server int, share float64) *tally {
	return &tally{layouts: layouts, server: server, share: share, fits: make([]fit, len(layouts))}
}

// add counts an item.
func (t *tally) add(it item) {
	t.owners = catalog.AppendOwners(t.owners[:0], it.key)
	t.keys++
	t.chance += 1 - math.Pow(1-t.share, float64(1+len(t.owners)))
	for i := range t.layouts {
		t.try(&t.layouts[i], &t.fits[i], it)
	}
}

// try counts an item for one layout.
func (t *tally) try(layout *Layout, f *fit, it item) {
	belongs := layout.Locate(it.key)
	if belongs == t.server {
		f.found++
		return
	}
	for _, owner := range t.owners {
		if layout.Locate(owner) == t.server {
			f.found++
			f.owned++
			return
		}
	}
	if len(f.misses) < missesKept {
		f.misses = append(f.misses, miss{string(it.key), belongs, it.used})
	}
}

// plus adds the counts of another server, without examples.
func (f *fit) plus(other fit) {
	f.found += other.found
	f.owned += other.owned
}
