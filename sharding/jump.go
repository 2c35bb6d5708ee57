package sharding

import "github.com/zeebo/xxh3"

// jump is a layout without a table.
type jump struct{ servers int64 }

// newJump returns the default layout of memcached's built-in proxy (proxy_jump_hash.c
// and proxy_lua.c of memcached 1.6): the jump consistent hash of John Lamping and Eric
// Veach ("A Fast, Minimal Memory, Consistent Hash Algorithm", 2014) over the 64-bit
// XXH3 of the key with seed 0.
//
// Servers are identified by their position in the list alone. The layout spreads keys
// evenly and needs no memory. A server added at the end takes its share from the
// others, and no other key moves. Removing a server from the middle moves keys of all
// servers after it, so replace it instead.
func newJump(servers []Server) (Layout, error) {
	return &jump{int64(len(servers))}, nil
}

// Locate implements [Layout].
func (j *jump) Locate(key []byte) int {
	hash := xxh3.Hash(key)
	server, next := int64(-1), int64(0)
	for next < j.servers {
		server = next
		hash = hash*2862933555777941757 + 1
		next = int64(float64(server+1) * (float64(1<<31) / float64(hash>>33+1)))
	}
	return int(server)
}
