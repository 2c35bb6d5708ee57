package hotkeys

import (
	"cmp"
	"slices"
)

// Counts are what windows have counted of each key: what is certain.
type Counts struct {
	Total uint64 // requests for all keys
	keys  map[string]uint64
}

// AddTo adds the last minute's counts to c. now is the time in microseconds.
func (w *Window) AddTo(c *Counts, now int64) {
	w.turnTo(now / part)
	if c.keys == nil {
		c.keys = map[string]uint64{}
	}
	for i := range w.sketches {
		s := &w.sketches[i]
		c.Total += uint64(s.total)
		for k := range s.used {
			c.keys[string(s.keys[k])] += uint64(s.counts[k] - s.errors[k])
		}
	}
}

// Merge adds the counts of another event loop.
func (c *Counts) Merge(other *Counts) {
	c.Total += other.Total
	if c.keys == nil {
		c.keys = map[string]uint64{}
	}
	for key, n := range other.keys {
		c.keys[key] += n
	}
}

// Key is a key and its share of all requests for keys, from 0 to 1.
type Key struct {
	Key   string
	Share float64
}

// leastShare is the share from which a key is hot: half of that with which it is certainly
// found.
const leastShare = 0.5 / Size

// Top returns the n keys with the largest shares, the largest first, if they are hot.
func (c *Counts) Top(n int) []Key {
	list := make([]Key, 0, len(c.keys))
	for key, count := range c.keys {
		if share := float64(count) / float64(c.Total); share >= leastShare {
			list = append(list, Key{key, share})
		}
	}
	slices.SortFunc(list, func(a, b Key) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(n, len(list))]
}
