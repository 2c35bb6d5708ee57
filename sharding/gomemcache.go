package sharding

// gomemcacheKey is how many bytes of a key gomemcache hashes.
const gomemcacheKey = 256

// NewGomemcache returns the layout of gomemcache's ServerList (selector.go of
// github.com/bradfitz/gomemcache): the CRC-32 of the key modulo the number of
// servers.
//
// Servers are identified by their position in the list alone. A server of weight n
// corresponds to one that is listed n times in a row in gomemcache. NewGomemcache
// refuses an empty pool, a duplicate server, a weight that is not from 1 to
// [MaxWeight], and names.
func NewGomemcache(servers []Server) (Layout, error) {
	if err := checkPool("gomemcache", servers, hasWeights); err != nil {
		return nil, err
	}
	return newModula(servers, gomemcacheHash), nil
}

func gomemcacheHash(key []byte) uint32 {
	return crc32Whole(key[:min(len(key), gomemcacheKey)])
}
