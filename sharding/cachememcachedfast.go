package sharding

import (
	"math"
	"slices"
)

// NewCacheMemcachedFast returns the layout of Perl's Cache::Memcached::Fast 0.28
// when it is told nothing (src/dispatch_key.c, "compatible"), which means to be
// that of Cache::Memcached: 15 bits of the CRC-32 of the key modulo the sum of the
// weights.
//
// Nothing of a server is hashed; the order of the list counts. Every server has
// as many remainders in a row as its weight, but for the odd one that the
// module's floating point gives to a neighbour, as it does here. A module with a
// namespace hashes keys without it, unless it was told hash_namespace:
// [NewUnhashedPrefix] is for that.
//
// It refuses an empty pool, a server that is there twice, a weight that is not
// from 1 to [MaxWeight], and names.
func NewCacheMemcachedFast(servers []Server) (Layout, error) {
	if err := checkPool("cache-memcached-fast", servers, hasWeights); err != nil {
		return nil, err
	}
	ends, total := perlContinuum(servers)
	m := newModula(servers, crc32Short)
	for slot := range m.slots {
		point := uint32(float64(float64(slot)/total*math.MaxUint32) + 0.5)
		server, _ := slices.BinarySearch(ends, point+1)
		m.slots[slot] = uint32(server)
	}
	return m, nil
}

// perlContinuum returns the last value of each server on a line of 2^32 values.
// A server that is added takes its share at the end, and all before it shrink.
func perlContinuum(servers []Server) (ends []uint32, total float64) {
	for _, s := range servers {
		total += float64(s.Weight)
		scale := float64(s.Weight) / total
		for i, end := range ends {
			ends[i] = uint32(float64(end) - float64(float64(end)*scale))
		}
		ends = append(ends, math.MaxUint32)
	}
	return ends, total
}
