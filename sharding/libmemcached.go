package sharding

import "strconv"

// These are the layouts of libmemcached 1.1.4 (its hash.cc, hosts.cc and behavior.cc),
// and so of the clients built on it: php-memcached, pylibmc, and others.
//
// With default settings (MEMCACHED_DISTRIBUTION_MODULA, MEMCACHED_HASH_DEFAULT),
// libmemcached takes Bob Jenkins's one-at-a-time hash of the key modulo the number of
// servers. Servers are
// identified by their position in the list alone. libmemcached accepts weights and ignores
// them with these settings; here they are refused.
//
// A layout can't reproduce two habits of libmemcached. A client with a namespace
// (MEMCACHED_CALLBACK_NAMESPACE) hashes keys without it unless
// MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY is set too: [NewUnhashedPrefix] is for that.
// And a socket path added as if it were a host, not by
// memcached_server_add_unix_socket, has [DefaultPort] in libmemcached, but 0 from
// [ParseServer].

// libmemcachedPoints is how many points a server has on libmemcached's unweighted ring
// (MEMCACHED_POINTS_PER_SERVER).
const libmemcachedPoints = 100

// newLibmemcachedKetama returns libmemcached's layout under
// MEMCACHED_BEHAVIOR_KETAMA, which is also MEMCACHED_DISTRIBUTION_CONSISTENT: a
// ring with 100 points to a server, points and keys hashed by one-at-a-time.
//
// The points are hashed from the host and a number, with the port between if it
// is not [DefaultPort]. The order of the list matters only where two points
// coincide: the earlier server has them.
//
// If any server has a weight other than 1, libmemcached switches to the ring of
// [newKetama], but still hashes keys by one-at-a-time. That applies to servers added
// after the behavior was set, as pylibmc does. If the behavior is set after the servers
// were added, weights have no effect: then leave them out here.
func newLibmemcachedKetama(servers []Server) (Layout, error) {
	if weighted(servers) {
		return &hashRing{newRing(ketamaPoints(servers, asListed(servers), libmemcachedLabel)), oneAtATime}, nil
	}
	var points []point
	for i, s := range servers {
		label := libmemcachedLabel(s)
		for n := range libmemcachedPoints {
			points = append(points, point{oneAtATime(numbered(label, n)), uint32(i)})
		}
	}
	return &hashRing{newRing(points), oneAtATime}, nil
}

// newKetama returns libmemcached's layout under
// MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED: a ring with 160 points to a server of
// average weight, points and keys hashed by MD5. In php-memcached that is
// OPT_LIBKETAMA_COMPATIBLE.
//
// The points are hashed from the host and a number, with the port between if it
// is not [DefaultPort]. The order of the list matters only where two points
// coincide: the earlier server has them.
//
// Weights are relative, and shares are rounded down to a multiple of four points. So a
// server whose weight is below a fortieth of the average holds no keys at all. And
// since a share depends on the whole pool, adding or removing a third server may move
// keys between two servers that stay: a few if weights differ, and none if all weights
// are equal and the rounding is the same (it is one step lower in pools of 25, 47, 50
// and some larger sizes).
func newKetama(servers []Server) (Layout, error) {
	return &hashRing{newRing(ketamaPoints(servers, asListed(servers), libmemcachedLabel)), md5Word}, nil
}

// ketamaPoints returns the points of the weighted ring, in the order of the servers' indexes that is given. label returns the text that a
// server's points are hashed from, without their number.
func ketamaPoints(servers []Server, order []int, label func(Server) string) (points []point) {
	total := totalWeight(servers)
	for _, i := range order {
		hashes := ketamaShare(servers[i].Weight, total, len(servers))
		points = appendDigests(points, label(servers[i]), uint32(i), hashes)
	}
	return points
}

// libmemcachedLabel is the text that a server's points are hashed from, without their
// number. It includes the port unless that is the default port; for a unix socket it
// includes the port 0.
func libmemcachedLabel(s Server) string {
	if s.Port == DefaultPort {
		return s.Host
	}
	return s.Host + ":" + strconv.Itoa(s.Port)
}
