package sharding

// pythonMemcachedHash is the hash of python-memcached (memcache.py 1.58), which takes 15 bits of the CRC-32 of the key,
// with 0 replaced by 1, modulo the sum of the weights. Every server has as many consecutive remainders as its weight.
//
// Servers are identified by their position in the list alone. The hash is the default
// one; with useOldServerHashFunction the layout is gomemcache's.
func pythonMemcachedHash(key []byte) uint32 { return max(1, crc32Short(key)) }
