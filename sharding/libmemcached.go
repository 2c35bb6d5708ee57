package sharding

import "strconv"

// The layouts of libmemcached 1.1.4 (its hash.cc, hosts.cc and behavior.cc), and
// so of the clients built on it: php-memcached, pylibmc, and others.
//
// Two habits of libmemcached lie outside a layout and can't be seen from here.
// A client with a namespace (MEMCACHED_CALLBACK_NAMESPACE) hashes keys without
// it unless MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY is set too: [NewUnhashedPrefix]
// is for that. And a socket path that was added as if it were a host, not by
// memcached_server_add_unix_socket, has [DefaultPort] there, where [ParseServer]
// gives it 0.

// NewLibmemcached returns libmemcached's layout when it is told nothing
// (MEMCACHED_DISTRIBUTION_MODULA, MEMCACHED_HASH_DEFAULT): Bob Jenkins's
// one-at-a-time hash of the key modulo the number of servers.
//
// Nothing of a server is hashed; the order of the list counts. libmemcached
// takes weights and pays no heed to them here; this refuses them, as it refuses
// an empty pool, a server that is there twice, and names.
func NewLibmemcached(servers []Server) (Layout, error) {
	if err := checkPool("libmemcached", servers, 0); err != nil {
		return nil, err
	}
	return newModula(servers, oneAtATime), nil
}

// libmemcachedPoints is how many points a server has on libmemcached's ring
// without weights (MEMCACHED_POINTS_PER_SERVER).
const libmemcachedPoints = 100

// NewLibmemcachedKetama returns libmemcached's layout under
// MEMCACHED_BEHAVIOR_KETAMA, which is also MEMCACHED_DISTRIBUTION_CONSISTENT: a
// ring with 100 points to a server, points and keys hashed by one-at-a-time.
//
// The points are hashed from the host and a number, with the port between if it
// is not [DefaultPort]. The order of the list matters only where two points
// coincide: the earlier server has them.
//
// As soon as one server has another weight than 1, libmemcached changes over to
// the ring of [NewKetama], but goes on hashing keys by one-at-a-time. That holds
// for servers added after the behavior was set, which is what pylibmc does; with
// servers first and the behavior after, weights are without effect: leave them
// out then.
//
// It refuses an empty pool, a server that is there twice, and names.
func NewLibmemcachedKetama(servers []Server) (Layout, error) {
	if err := checkPool("libmemcached-ketama", servers, hasWeights); err != nil {
		return nil, err
	}
	if weighted(servers) {
		return &hashRing{newRing(libmemcachedContinuum(servers)), oneAtATime}, nil
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

// NewKetama returns libmemcached's layout under
// MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED: a ring with 160 points to a server of
// average weight, points and keys hashed by MD5. In php-memcached that is
// OPT_LIBKETAMA_COMPATIBLE.
//
// The points are hashed from the host and a number, with the port between if it
// is not [DefaultPort]. The order of the list matters only where two points
// coincide: the earlier server has them.
//
// Weights are relative and the rounding is downwards, four points at a time. So
// a server whose weight is below a fortieth of the average holds no keys at all.
// And since a share depends on the whole pool, keys may also move between two
// servers that stay when a third one comes or goes: a few, if weights differ,
// and none if all weights are equal and the rounding came out the same (it is
// one step lower in pools of 25, 47, 50 and some larger sizes).
//
// It refuses an empty pool, a server that is there twice, a weight that is not
// from 1 to [MaxWeight], and names.
func NewKetama(servers []Server) (Layout, error) {
	if err := checkPool("libmemcached-ketama-weighted", servers, hasWeights); err != nil {
		return nil, err
	}
	return &hashRing{newRing(libmemcachedContinuum(servers)), md5Word}, nil
}

// libmemcachedContinuum returns the points of the weighted ring.
func libmemcachedContinuum(servers []Server) (points []point) {
	total := totalWeight(servers)
	for i, s := range servers {
		hashes := ketamaShare(s.Weight, total, len(servers))
		points = appendDigests(points, libmemcachedLabel(s), uint32(i), hashes)
	}
	return points
}

// libmemcachedLabel is the text a server's points are hashed from, up to their
// number. The default port is left out of it and every other is not, the 0 of a
// unix socket included.
func libmemcachedLabel(s Server) string {
	if s.Port == DefaultPort {
		return s.Host
	}
	return s.Host + ":" + strconv.Itoa(s.Port)
}
