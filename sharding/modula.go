package sharding

// modula is the layout that takes the hash of a key modulo the number of
// servers. Every server fills as many slots in a row as its weight, and the
// remainder is the number of a slot.
//
// It is simple and spreads keys evenly, but a server that comes or goes changes
// the divisor, and nearly all keys move: from 5 servers to 6, five sixths of
// them. The order of the servers counts, and nothing else of them but the weight.
type modula struct {
	slots []uint32 // index into the pool
	hash  func(key []byte) uint32
}

// newModula takes a pool that was checked.
func newModula(servers []Server, hash func([]byte) uint32) *modula {
	slots := make([]uint32, 0, totalWeight(servers))
	for i, s := range servers {
		for range s.Weight {
			slots = append(slots, uint32(i))
		}
	}
	return &modula{slots, hash}
}

// Locate implements [Layout].
func (m *modula) Locate(key []byte) int {
	return int(m.slots[m.hash(key)%uint32(len(m.slots))])
}
