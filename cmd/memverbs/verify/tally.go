package verify

import (
	"math"
	"slices"

	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// missesKept is how many keys that are elsewhere are kept as examples, for each server and
// layout.
const missesKept = 6

// tally counts which keys of one server each layout finds there.
type tally struct {
	layouts []Layout
	others  []Layout
	server  int
	share   float64  // of the server in all keys
	bases   [][]byte // of the item that is added

	keys   int
	chance float64 // how many keys a layout finds by chance
	err    error
	fits   []fit // of the layouts
}

// fit says how many keys one layout finds.
type fit struct {
	found   int    // including items of structures
	owned   int    // of found: items that are where their structure belongs, though not where their own keys belong
	alone   int    // of found: keys that no other pool places here
	foreign []int  // of those not found: how many another pool places here, for each pool
	misses  []miss // of those that no pool places here: the first
}

// miss is a key that is not where a layout looks for it.
type miss struct {
	key     string
	belongs int   // the number of the server where the layout looks for it
	used    int64 // as in metadump.Item
}

func newTally(layouts []Layout, others []Layout, server int, share float64) *tally {
	t := &tally{layouts: layouts, others: others, server: server, share: share, fits: make([]fit, len(layouts))}
	for i := range t.fits {
		t.fits[i].foreign = make([]int, len(others))
	}
	return t
}

// add counts an item.
func (t *tally) add(it metadump.Item) {
	t.bases, _ = catalog.Bases(it.Key)
	t.keys++
	t.chance += 1 - math.Pow(1-t.share, float64(1+len(t.bases)))
	other := t.otherOf(it)
	for i := range t.layouts {
		t.try(&t.layouts[i], &t.fits[i], it, other)
	}
}

// otherOf returns the number of the first of the other pools that looks for an item on this server, -1 if none
// does.
func (t *tally) otherOf(it metadump.Item) int {
	return slices.IndexFunc(t.others, func(other Layout) bool {
		return other.Locate(it.Key) == t.server || t.hasBase(other)
	})
}

// try counts an item for one layout. other is the number of another pool that looks for it here, -1 for none.
func (t *tally) try(layout *Layout, f *fit, it metadump.Item, other int) {
	belongs := layout.Locate(it.Key)
	owned := belongs != t.server && t.hasBase(layout)
	if owned {
		f.owned++
	}
	switch found := belongs == t.server || owned; {
	case found && other < 0:
		f.alone++
		f.found++
	case found:
		f.found++
	case other >= 0:
		f.foreign[other]++
	case len(f.misses) < missesKept:
		f.misses = append(f.misses, miss{string(it.Key), belongs, it.Used})
	}
}

// hasBase reports whether the item that is added may be of a structure that layout looks for on this server.
func (t *tally) hasBase(layout sharding.Layout) bool {
	return slices.ContainsFunc(t.bases, func(base []byte) bool { return layout.Locate(base) == t.server })
}

// plus adds the counts of another server, without examples.
func (f *fit) plus(other fit) {
	f.found += other.found
	f.owned += other.owned
	f.alone += other.alone
	for i, n := range other.foreign {
		f.foreign[i] += n
	}
}

// explained returns how many of the keys that the layout does not find are where other pools look for theirs.
func (f *fit) explained() (n int) {
	for _, of := range f.foreign {
		n += of
	}
	return n
}

// unexplained returns how many of a number of keys are where no pool looks for them.
func (f *fit) unexplained(keys int) int { return keys - f.found - f.explained() }
