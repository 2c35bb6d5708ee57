package verify

import (
	"cmp"
	"errors"
	"slices"

	"github.com/memverbs/memverbs/proxy/metadump"
)

// Result is the outcome of a Check.
type Result struct {
	servers []Server
	others  []Layout
	tallies []*tally // of the servers
	keys    int      // of all servers
	chance  float64  // how many keys a layout finds by chance
	ranked  []total  // the layout that finds most keys first
}

// total is the fit of a layout for all servers.
type total struct {
	layout int // its number
	name   string
	fit
	onServer []int // how many it finds on each
}

// sum adds up what was found on all servers. Of layouts that find as many keys, it leaves the
// order as it is.
func (c *Check) sum(tallies []*tally) *Result {
	r := &Result{servers: c.Servers, others: c.Others, tallies: tallies}
	for _, t := range tallies {
		r.keys += t.keys
		r.chance += t.chance
	}
	for i, l := range c.Layouts {
		r.ranked = append(r.ranked, sumOf(i, l.Name, tallies))
	}
	slices.SortStableFunc(r.ranked, func(a, b total) int { return cmp.Compare(b.found, a.found) })
	return r
}

func sumOf(layout int, name string, tallies []*tally) total {
	sum := total{layout: layout, name: name}
	for _, t := range tallies {
		if sum.foreign == nil {
			sum.foreign = make([]int, len(t.others))
		}
		sum.plus(t.fits[layout])
		sum.onServer = append(sum.onServer, t.fits[layout].found)
	}
	return sum
}

// Keys returns how many keys were compared.
func (r *Result) Keys() int { return r.keys }

// Fits reports whether the best of the layouts finds all keys, except those that may be of other pools. If all keys may
// be of other pools, it reports false, since none of them shows where this pool has its keys.
func (r *Result) Fits() bool { return r.fits(&r.ranked[0]) }

func (r *Result) fits(t *total) bool {
	return t.found == r.keys || t.unexplained(r.keys) == 0 && t.alone > 0
}

// Complete reports whether all servers have sent their keys, or at least some of them in time.
func (r *Result) Complete() bool {
	return !slices.ContainsFunc(r.tallies, func(t *tally) bool { return t.err != nil && !t.cutShort() })
}

// cutShort reports whether the server has sent keys until its time was over.
func (t *tally) cutShort() bool { return t.keys > 0 && errors.Is(t.err, metadump.ErrTooSlow) }
