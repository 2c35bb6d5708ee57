package sharding

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// A server of average weight has pointsPerServer points on the ring. They come
// pointsPerHash at a time: an MD5 digest is four words of 32 bits.
const (
	pointsPerServer = 160
	pointsPerHash   = 4
)

// Ketama is the layout of libmemcached under MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED.
//
// The idea is Richard Jones's, from the ketama library he wrote for last.fm: each
// server owns many points scattered over a ring of 2^32 values (the continuum),
// a key hashes to a value, and the first point at or after it names the server.
// A server that joins takes keys from all the others in small pieces, and the
// rest stay where they are.
//
// Clients agree on that and differ in everything else. This type follows
// update_continuum in libmemcached's hosts.cc: how many points a weight is worth,
// what text a point is the hash of, who owns a value that two servers claim.
//
// Weights are relative and the rounding is downwards, four points at a time. So
// a server whose weight is below a fortieth of the average holds no keys at all.
// And since a share depends on the whole pool, keys may also move between two
// servers that stay when a third one comes or goes: a few, if weights differ,
// and none if all weights are equal and the rounding came out the same (it is
// one step lower in pools of 25, 47, 50 and some larger sizes).
//
// Two habits of libmemcached lie outside the ring and can't be seen from here.
// A client with a namespace (MEMCACHED_CALLBACK_NAMESPACE) hashes keys without
// it unless MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY is set too, and a layout
// that is shown the whole key then disagrees. And a socket path that was added as
// if it were a host, not by memcached_server_add_unix_socket, has [DefaultPort]
// there, where [ParseServer] gives it 0.
type Ketama struct {
	points []point  // ascending, closed by a sentinel that wraps to the first
	starts []uint32 // by the top bits of a hash: the first point to look at
	shift  uint     // what leaves these top bits
}

type point struct {
	value  uint32
	server uint32 // index into the pool
}

// NewKetama lays out a ring for the servers. Their order matters for the indexes
// that Locate returns, and for the rare value that is a point of two servers: it
// goes to the earlier one. NewKetama refuses an empty pool, a weight that is not
// from 1 to [MaxWeight], and two servers of the same name and port.
func NewKetama(servers []Server) (*Ketama, error) {
	if err := checkPool(servers); err != nil {
		return nil, err
	}
	points := continuum(servers)
	starts, shift := index(points)
	return &Ketama{points, starts, shift}, nil
}

// Locate returns the index of the server that holds the key. See [Layout].
func (k *Ketama) Locate(key []byte) int {
	hash := keyHash(key)
	i := k.starts[hash>>k.shift]
	for k.points[i].value < hash {
		i++
	}
	return int(k.points[i].server)
}

// keyHash returns the place of a key on the ring.
func keyHash(key []byte) uint32 {
	digest := md5.Sum(key)
	return binary.LittleEndian.Uint32(digest[:])
}

// continuum returns the points of all servers in order. The sentinel has the
// greatest value, so that a search always ends, and the first point's server.
func continuum(servers []Server) []point {
	var total uint64
	for _, s := range servers {
		total += uint64(s.Weight)
	}
	points := make([]point, 0, len(servers)*pointsPerServer+1)
	for i, s := range servers {
		hashes := share(s.Weight, total, len(servers))
		points = appendPoints(points, s, uint32(i), hashes)
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.server, b.server))
	})
	return append(points, point{math.MaxUint32, points[0].server})
}

// share returns how many hashes a server puts on the ring.
//
// libmemcached computes it in C floats. Each step here rounds to float32 as it
// does there, and the conversions keep the compiler from fusing two steps into
// one; float64 would give other results (40 and not 39 hashes in a pool of 25
// equals). The 1e-10 that the C code adds before it rounds down is missing for
// being too small to change a float32 that is anywhere near a whole number.
func share(weight int, total uint64, servers int) int {
	part := float32(weight) / float32(total)
	hashes := float32(part*pointsPerServer) / pointsPerHash
	return int(float32(hashes * float32(servers)))
}

// appendPoints adds the points of one server, whose index in the pool is given.
func appendPoints(points []point, s Server, server uint32, hashes int) []point {
	label := ringName(s)
	prefix := len(label)
	for i := range hashes {
		label = strconv.AppendInt(label[:prefix], int64(i), 10)
		digest := md5.Sum(label)
		for word := 0; word < md5.Size; word += md5.Size / pointsPerHash {
			points = append(points, point{binary.LittleEndian.Uint32(digest[word:]), server})
		}
	}
	return points
}

// ringName is the text a server's points are hashed from, up to their number.
// The default port is left out of it and every other is not, the 0 of a unix
// socket included.
func ringName(s Server) []byte {
	name := []byte(s.Name)
	if s.Port != DefaultPort {
		name = append(name, ':')
		name = strconv.AppendInt(name, int64(s.Port), 10)
	}
	return append(name, '-')
}

// index cuts the ring into more slices than it has points and returns the first
// point at or after the start of each. A search from there takes a step or two
// whatever the size of the pool.
func index(points []point) (starts []uint32, shift uint) {
	width := bits.Len(uint(len(points)))
	starts, shift = make([]uint32, 1<<width), uint(32-width)
	i := 0
	for slice := range starts {
		for points[i].value < uint32(slice)<<shift {
			i++
		}
		starts[slice] = uint32(i)
	}
	return starts, shift
}
