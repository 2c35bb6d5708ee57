package sharding

import "slices"

// modula is a layout that computes the hash of a key modulo the number of slots. Every
// server has as many consecutive slots as its weight, and the remainder is the number
// of a slot.
//
// It is simple and spreads keys evenly, but adding or removing a server changes the
// divisor, and nearly all keys move: from 5 servers to 6, five sixths of them. Only the
// order and the weights of the servers matter.
type modula struct {
	slots []uint32 // index into the pool
	hash  func(key []byte) uint32
}

// byRemainder returns the constructor of layouts that place a key by its hash modulo the number of slots.
func byRemainder(hash func([]byte) uint32) func([]Server) (Layout, error) {
	return func(servers []Server) (Layout, error) { return newModula(servers, asListed(servers), hash), nil }
}

// newModula returns the layout for a checked pool, whose servers have their slots in the order of indexes given.
func newModula(servers []Server, order []int, hash func([]byte) uint32) *modula {
	slots := make([]uint32, 0, totalWeight(servers))
	for _, i := range order {
		slots = append(slots, slices.Repeat([]uint32{uint32(i)}, servers[i].Weight)...)
	}
	return &modula{slots, hash}
}

// Locate implements [Layout].
func (m *modula) Locate(key []byte) int {
	return int(m.slots[m.hash(key)%uint32(len(m.slots))])
}
