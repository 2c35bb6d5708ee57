package hotkeys

import (
	"cmp"
	"slices"
)

// Counts are the counts of keys in windows, less their possible errors.
type Counts struct {
	Total uint64 // requests for all keys
	keys  map[string]count
}

// count is the count of one key.
type count struct {
	requests uint64
	times    uint64 // in the sample
}

func (c *Counts) add(key string, n count) {
	if c.keys == nil {
		c.keys = map[string]count{}
	}
	sum := c.keys[key]
	c.keys[key] = count{sum.requests + n.requests, sum.times + n.times}
}

// AddTo adds the last minute's counts to c. now is the time in microseconds.
func (w *Window) AddTo(c *Counts, now int64) {
	w.turnTo(now / part)
	for i := range w.sketches {
		s := &w.sketches[i]
		c.Total += uint64(s.total)
		for k := range s.used {
			c.add(string(s.keys[k]), count{uint64(s.counts[k] - s.errors[k]), uint64(s.times[k])})
		}
	}
}

// Merge adds the counts of another event loop.
func (c *Counts) Merge(other *Counts) {
	c.Total += other.Total
	for key, n := range other.keys {
		c.add(key, n)
	}
}

// Key is a key and its share of all requests for keys, from 0 to 1.
type Key struct {
	Key   string
	Share float64
}

// A key is hot if its share of the sample is at least half of 1/[Size], and if it was in the sample
// more often than by chance.
const (
	leastShare = 0.5 / Size
	leastTimes = 4
)

// Top returns the n keys with the largest shares, the largest first, if they are hot.
func (c *Counts) Top(n int) []Key {
	list := make([]Key, 0, len(c.keys))
	for key, n := range c.keys {
		if share := float64(n.requests) / float64(c.Total); share >= leastShare && n.times >= leastTimes {
			list = append(list, Key{key, share})
		}
	}
	slices.SortFunc(list, func(a, b Key) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(n, len(list))]
}
