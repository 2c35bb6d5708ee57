package sharding

import "github.com/zeebo/xxh3"

// jump is a layout without a table.
type jump struct{ servers int64 }

// NewJump returns the layout that memcached's built-in proxy has when told
// nothing (proxy_jump_hash.c and proxy_lua.c of memcached 1.6): the jump
// consistent hash of John Lamping and Eric Veach ("A Fast, Minimal Memory,
// Consistent Hash Algorithm", 2014) over XXH3 with 64 bits and seed 0 of the key.
//
// Nothing of a server is hashed; the order of the list counts. It spreads keys
// evenly and needs no memory. A server that is added at the end takes its share
// from the others and no other key moves; one that leaves from the middle moves
// the keys of all behind it, so it should be replaced, not removed.
//
// It refuses an empty pool, a server that is there twice, weights and names.
func NewJump(servers []Server) (Layout, error) {
	if err := checkPool("jump", servers, 0); err != nil {
		return nil, err
	}
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
