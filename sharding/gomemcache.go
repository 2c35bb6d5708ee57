package sharding

// gomemcacheKey is how much of a key gomemcache hashes.
const gomemcacheKey = 256

// NewGomemcache returns the layout of gomemcache's ServerList (selector.go of
// github.com/bradfitz/gomemcache): the CRC-32 of the key modulo the number of
// servers.
//
// Nothing of a server is hashed; the order of the list counts. A weight stands
// for gomemcache's way of giving one: a server that is listed so many times, in
// a row. It refuses an empty pool, a server that is there twice, a weight that
// is not from 1 to [MaxWeight], and names.
func NewGomemcache(servers []Server) (Layout, error) {
	if err := checkPool("gomemcache", servers, hasWeights); err != nil {
		return nil, err
	}
	return newModula(servers, gomemcacheHash), nil
}

func gomemcacheHash(key []byte) uint32 {
	return crc32Whole(key[:min(len(key), gomemcacheKey)])
}
