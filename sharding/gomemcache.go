package sharding

// gomemcacheKey is how many bytes of a key gomemcache hashes.
const gomemcacheKey = 256

// gomemcacheHash is the hash of gomemcache's ServerList (selector.go of github.com/bradfitz/gomemcache), which takes
// the CRC-32 of the key modulo the number of servers.
//
// Servers are identified by their position in the list alone. A server of weight n
// corresponds to one that is listed n times in a row in gomemcache.
func gomemcacheHash(key []byte) uint32 {
	return crc32Whole(key[:min(len(key), gomemcacheKey)])
}
