package sharding

// NewPythonMemcached returns the layout of python-memcached (memcache.py 1.58):
// 15 bits of the CRC-32 of the key, a 0 being taken for a 1, modulo the sum of
// the weights, of which every server has so many in a row.
//
// Nothing of a server is hashed; the order of the list counts. The hash is that
// of the default; the one of useOldServerHashFunction is the layout of
// [NewGomemcache]. It refuses an empty pool, a server that is there twice, a
// weight that is not from 1 to [MaxWeight], and names.
func NewPythonMemcached(servers []Server) (Layout, error) {
	if err := checkPool("python-memcached", servers, hasWeights); err != nil {
		return nil, err
	}
	return newModula(servers, pythonMemcachedHash), nil
}

func pythonMemcachedHash(key []byte) uint32 { return max(1, crc32Short(key)) }
