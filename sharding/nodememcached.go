package sharding

import (
	"fmt"
	"math"
)

// newNodeMemcached returns the layout of the npm package memcached 2.2.2 and its
// dependency hashring 3.2.0 (index.js): a ring with 160 points to a server of
// average weight, points and keys hashed by MD5.
//
// The points are hashed from the host and a number, with the port between if it is not
// [DefaultPort]. Weights give shares of points as in [newKetama], but computed in
// double precision. The order of the list matters only where two points coincide: the
// earlier server has them.
//
// It refuses servers that the package itself can't connect to: unix sockets and IPv6
// addresses.
func newNodeMemcached(servers []Server) (Layout, error) {
	var points []point
	total := totalWeight(servers)
	for i, s := range servers {
		if s.unix() || s.ipv6() {
			return nil, fmt.Errorf("server %v: node-memcached takes host names and IPv4 addresses only", s)
		}
		share := float64(s.Weight) / float64(total) * (pointsPerServer / pointsPerHash) * float64(len(servers))
		points = appendDigests(points, libmemcachedLabel(s), uint32(i), int(math.Floor(share)))
	}
	return &hashRing{newRing(points), md5Word}, nil
}
