package rankings

import "bytes"

// To fold a token means to look up its member, and in a large ranking nearly every look-up waits
// for memory. One after another, these waits are most of what folding takes. So some tokens are
// looked through ahead of their turn, only to touch the slots of their members: as these look-ups
// do not depend on each other, the processor makes several of them at a time.

const (
	// ahead is how many bytes of the log are looked through at a time: so few that what was
	// touched is still near the processor when its turn comes.
	ahead = 2 << 10
	// nearTable is how many slots a table has of which all are near the processor anyway.
	nearTable = 1 << 14
)

// lookAhead touches the slots of the members that the log names from index from to index to. A
// token that removes a member is not looked at: it has no colon.
func (r *Ranking) lookAhead(from, to int) {
	if len(r.table) <= nearTable {
		return
	}
	mask := uint32(len(r.table) - 1)
	for {
		colon := bytes.IndexByte(r.log[from:to], ':')
		if colon < 0 {
			return
		}
		from += colon + 1
		size := bytes.IndexByte(r.log[from:to], ' ')
		if size < 0 {
			return
		}
		r.touched |= r.table[firstSlot(hash(r.log[from:from+size]))&mask]
		from += size
	}
}
