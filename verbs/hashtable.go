package verbs

import "math/bits"

// Folds look up members and values in hash tables with linear probing (Knuth, "The Art of Computer
// Programming", 6.4). A slot is 0 if it is free.

// TableSize returns the number of slots of a hash table for that many entries. It is a power of
// two, and at most half of the slots are used.
func TableSize(entries int) int { return 1 << bits.Len(2*uint(entries)|15) }

// SlotIn returns the slot of a table for which is returns true, or the free slot where that belongs. It asks only about
// slots that are not free, from the slot first on, which it reduces to the size of the table. The compiler inlines SlotIn
// and a small function is, so that the search takes no calls.
func SlotIn(table []uint32, first uint32, is func(slot uint32) bool) *uint32 {
	mask := uint32(len(table) - 1)
	for at := first; ; at++ {
		slot := &table[at&mask]
		if used := *slot; used == 0 || is(used) {
			return slot
		}
	}
}

// ClearTable returns an empty hash table for that many entries. It reuses the memory of table if
// that suffices, and clears only the part that it needs.
func ClearTable(p *Pace, table []uint32, entries int) []uint32 {
	size := TableSize(entries)
	if size > cap(table) {
		return freshTable(p, size)
	}
	cleared := table[:size]
	p.InSteps(size, MuchMemory, func(from, to int) { clear(cleared[from:to]) })
	return cleared
}

// freshTable is a function of its own so that ClearTable does not allocate a closure.
func freshTable(p *Pace, size int) (table []uint32) {
	p.Provide(4*size, func() { table = Fresh[uint32](size) })
	return table
}
