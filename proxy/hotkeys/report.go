package hotkeys

import (
	"cmp"
	"slices"
)

// Counts are what windows have counted of each key: what is certain.
type Counts struct {
	Total uint64 // keys in the sample
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
			if n := s.counts[k] - s.errors[k]; n > 1 {
				c.keys[string(s.keys[k])] += uint64(n)
			}
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

// Key is a key and its share of all keys in the sample, from 0 to 1.
type Key struct {
	Key   string
	Share float64
}

// Top returns the n keys with the largest shares, the largest first.
func (c *Counts) Top(n int) []Key {
	list := make([]Key, 0, len(c.keys))
	for key, count := range c.keys {
		list = append(list, Key{key, float64(count) / float64(c.Total)})
	}
	slices.SortFunc(list, func(a, b Key) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(n, len(list))]
}
