package sharding

import (
	"bytes"
	"hash/crc32"
	"math"
)

// mcrouterKey returns the part of a key that mcrouter hashes: without a routing prefix, such as "/region/cluster/", and
// without the first "|#|" and what follows it. If fewer than three slashes are in a key that begins with one, it has no
// routing prefix. (RoutingPrefix and the key's hash stop in mcrouter's lib/McKey.)
func mcrouterKey(key []byte) []byte {
	if bytes.HasPrefix(key, slash) {
		_, rest, _ := bytes.Cut(key[1:], slash)
		if _, rest, found := bytes.Cut(rest, slash); found {
			key = rest
		}
	}
	part, _, _ := bytes.Cut(key, hashStop)
	return part
}

var slash, hashStop = []byte("/"), []byte("|#|")

// mcrouterCRC32 is the hash of mcrouter's hash_func Crc32: the CRC-32 of the key, modulo the number of servers.
func mcrouterCRC32(key []byte) uint32 {
	return crc32.ChecksumIEEE(mcrouterKey(key)) & math.MaxInt32
}

// ch3 is the layout of mcrouter's hash_func Ch3, its default. Servers are identified by their position in the list
// alone. If one is added at the end, keys move to it only.
type ch3 struct{ servers int }

func newCh3(servers []Server) (Layout, error) { return ch3{len(servers)}, nil }

// Locate implements [Layout].
func (c ch3) Locate(key []byte) int { return furc(mcrouterKey(key), c.servers) }

// weightedCh3 is the layout of mcrouter's hash_func WeightedCh3. A server that ch3 chooses takes the key with the
// probability of its weight, by a second hash. If it does not, ch3 chooses again, by the key with a number behind it.
type weightedCh3 struct {
	takes []uint32 // for each server: it takes a key if the second hash is less
}

// newWeightedCh3 returns the layout of a checked pool.
func newWeightedCh3(servers []Server) (Layout, error) {
	w := weightedCh3{make([]uint32, len(servers))}
	for i, s := range servers {
		w.takes[i] = uint32(s.Share() * math.MaxUint32)
	}
	return &w, nil
}

const (
	// weightedTries is how often WeightedCh3 chooses. The last server chosen takes the key in any case.
	weightedTries = 32
	// weightedSeed is the seed of its second hash.
	weightedSeed = 0xface2014
	// weightedKey is how many bytes of a key are hashed. It exceeds memcached's longest key.
	weightedKey = 256
)

// Locate implements [Layout].
func (w *weightedCh3) Locate(key []byte) (server int) {
	if len(w.takes) == 1 { // mcrouter leaves the hash out
		return 0
	}
	var room [weightedKey + 2]byte
	part := mcrouterKey(key)
	text := append(room[:0], part[:min(len(part), weightedKey)]...)
	length := len(text)
	for try := range weightedTries {
		server = furc(text, len(w.takes))
		if spooky(text, weightedSeed) < w.takes[server] {
			break
		}
		text = appendReversed(text[:length], try)
	}
	return server
}

// appendReversed appends a number in decimal, its lowest digit first.
func appendReversed(dst []byte, n int) []byte {
	for {
		dst = append(dst, byte('0'+n%10))
		if n /= 10; n == 0 {
			return dst
		}
	}
}
