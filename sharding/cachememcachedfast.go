package sharding

import (
	"math"
	"slices"
)

// newCacheMemcachedFast returns the layout of Perl's Cache::Memcached::Fast 0.28 with
// default settings (src/dispatch_key.c, "compatible"), which imitates Cache::Memcached:
// 15 bits of the CRC-32 of the key modulo the sum of the weights.
//
// Servers are identified by their position in the list alone. Every server has as many
// consecutive remainders as its weight, except that the module's floating point
// occasionally gives one to a neighbour; the same happens here. The module hashes keys
// without its namespace unless hash_namespace is set: [NewUnhashedPrefix] is for that.
func newCacheMemcachedFast(servers []Server) (Layout, error) {
	ends, total := perlContinuum(servers)
	m := newModula(servers, asListed(servers), crc32Short)
	for slot := range m.slots {
		point := uint32(float64(float64(slot)/total*math.MaxUint32) + 0.5)
		server, _ := slices.BinarySearch(ends, point+1)
		m.slots[slot] = uint32(server)
	}
	return m, nil
}

// perlContinuum returns, for each server, the end of its range on a line of 2^32
// values. Each server added takes its share at the end of the line, and all ranges
// before it shrink.
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
