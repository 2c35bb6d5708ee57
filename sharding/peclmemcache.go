package sharding

import (
	"fmt"
	"math"
	"slices"
)

// The layouts of PHP's PECL memcache 8.2 (memcache_standard_hash.c and memcache_consistent_hash.c), by its settings
// memcache.hash_strategy and memcache.hash_function. It hashes a key as it is sent, with its own prefix before it. Its
// FNV takes C's char as signed, as it is on x86.

// peclStandard returns the hash of the strategy "standard": 15 bits, 1 in place of 0. Every server has as many
// consecutive remainders as its weight.
func peclStandard(hash func([]byte) uint32) func([]byte) uint32 {
	return func(key []byte) uint32 { return max(hash(key)>>16&0x7fff, 1) }
}

// peclBuckets is how many buckets the strategy "consistent" distributes among the servers.
const peclBuckets = 1024

// peclConsistent is a layout of the strategy "consistent". It places a key by its hash modulo the number of buckets,
// and the buckets by a ring.
type peclConsistent struct {
	hash    func([]byte) uint32
	buckets [peclBuckets]uint32 // index into the pool
}

// newPeclConsistent returns the constructor of the layout for a hash, which is used for keys and for points: for each
// unit of its weight, a server has points at the hashes of "host:port-0", "host:port-1" and so on. The constructor
// refuses unix sockets.
func newPeclConsistent(hash func([]byte) uint32) func([]Server) (Layout, error) {
	return func(servers []Server) (Layout, error) {
		p := peclConsistent{hash: hash}
		var points []point
		for i, s := range servers {
			if s.unix() {
				return nil, fmt.Errorf("server %v: where PECL memcache places keys of unix sockets by the strategy consistent is not known here", s)
			}
			for n := range s.Weight * pointsPerServer {
				points = append(points, point{hash(numbered(s.hostPort(), n)), uint32(i)})
			}
		}
		slices.SortStableFunc(points, compareValues)
		for b := range p.buckets {
			value := uint32(b) * (math.MaxUint32 / peclBuckets)
			at, _ := slices.BinarySearchFunc(points, point{value: value}, compareValues)
			p.buckets[b] = points[at%len(points)].server
		}
		return &p, nil
	}
}

// Locate implements [Layout].
func (p *peclConsistent) Locate(key []byte) int { return int(p.buckets[p.hash(key)%peclBuckets]) }
