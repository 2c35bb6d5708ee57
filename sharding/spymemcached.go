package sharding

import (
	"fmt"
	"net/netip"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// javaHash is Java's String.hashCode, which hashes UTF-16 units. By default, the
// MemcachedClient of Java's spymemcached 2.12 (ArrayModNodeLocator with NATIVE_HASH)
// hashes a key by it, and takes the hash modulo the number of servers.
//
// Servers are identified by their position in the list alone. Keys are decoded as
// UTF-8.
func javaHash(key []byte) (h uint32) {
	for len(key) > 0 {
		r, size := utf8.DecodeRune(key)
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			h = h*31 + uint32(high)
			r = low
		}
		h = h*31 + uint32(r)
		key = key[size:]
	}
	return h
}

// newSpymemcachedKetama returns the layout of spymemcached 2.12 under its
// KetamaConnectionFactory (KetamaNodeLocator with KETAMA_HASH): a ring with 160
// points to a server of average weight, points and keys hashed by MD5.
//
// The points are hashed from the InetSocketAddress.toString of the server, without a
// leading slash, and a number. For a server given as an IPv4 address that text is
// "10.0.0.1:11211". For a host name it is "cache1/10.0.0.1:11211", with the address
// that the Java program resolved. It is not looked up here: the whole text must be given
// as the server's name. The same holds for IPv6 addresses, which versions of Java print
// differently.
//
// Weights give shares of points as in [newKetama]; if all are 1 there is no rounding,
// as in a factory without weights. The order of the list matters only where two points
// coincide: the later server has them.
//
// It refuses unix sockets, and a server without a name unless its host is an IPv4
// address.
func newSpymemcachedKetama(servers []Server) (Layout, error) {
	var points []point
	total, weighted := totalWeight(servers), weighted(servers)
	for i, s := range slices.Backward(servers) {
		label, err := spymemcachedLabel(s)
		if err != nil {
			return nil, err
		}
		hashes := pointsPerServer / pointsPerHash
		if weighted {
			hashes = ketamaShare(s.Weight, total, len(servers))
		}
		points = appendDigests(points, label, uint32(i), hashes)
	}
	return &hashRing{newRing(points), md5Word}, nil
}

func spymemcachedLabel(s Server) (string, error) {
	if s.unix() {
		return "", fmt.Errorf("server %v: spymemcached knows no unix sockets", s)
	}
	if s.Name != "" {
		return s.Name, nil
	}
	if ip, err := netip.ParseAddr(s.Host); err == nil && ip.Is4() {
		return s.hostPort(), nil
	}
	return "", fmt.Errorf("server %v: spymemcached hashes the host name and the address it found for it: "+
		"expected both as the server's name, like \"%s:%d:%d %s/10.0.0.1:%d\"", s, s.Host, s.Port, s.Weight, s.Host, s.Port)
}
