package sharding

// NewPythonMemcached returns the layout of python-memcached (memcache.py 1.58): 15 bits
// of the CRC-32 of the key, with 0 replaced by 1, modulo the sum of the weights. Every
// server has as many consecutive remainders as its weight.
//
// Servers are identified by their position in the list alone. The hash is the default
// one; with useOldServerHashFunction the layout is the same as [NewGomemcache].
// NewPythonMemcached refuses an empty pool, a duplicate server, a weight that is not
// from 1 to [MaxWeight], and names.
func NewPythonMemcached(servers []Server) (Layout, error) {
	if err := checkPool("python-memcached", servers, hasWeights); err != nil {
		return nil, err
	}
	return newModula(servers, pythonMemcachedHash), nil
}

func pythonMemcachedHash(key []byte) uint32 { return max(1, crc32Short(key)) }
