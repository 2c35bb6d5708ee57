package rankings

import "bytes"

// To fold a token means to look up its member, and in a large ranking nearly every look-up waits
// for memory, three times: for a slot of the table, for the entry, and for the member in the log.
// One after another, these waits are most of what folding takes. So some tokens are looked through
// ahead of their turn, only to touch what their members lead to: as these look-ups do not depend on
// each other, the processor makes several of them at a time.

const (
	// ahead is how many bytes of the log are looked through at a time: so few that what was
	// touched is still near the processor when its turn comes.
	ahead = 2 << 10
	// nearTable is how many slots a table has of which all are near the processor anyway.
	nearTable = 1 << 12
	// few is how many bytes a log must have for it to be worth while.
	few = 64
)

// lookAhead touches what the members lead to that the log names from index from to index to. A
// token that removes a member is not looked at: it has no colon.
func (r *Ranking) lookAhead(from, to int) {
	if len(r.table) <= nearTable || to-from < few {
		return
	}
	var buf [ahead / shortestToken]uint32
	hashes := buf[:0]
	for len(hashes) < len(buf) {
		colon := bytes.IndexByte(r.log[from:to], ':')
		if colon < 0 {
			break
		}
		from += colon + 1
		size := bytes.IndexByte(r.log[from:to], ' ')
		if size < 0 {
			break
		}
		hashes = append(hashes, hash(r.log[from:from+size]))
		from += size
	}
	// Short loops, so that many of their look-ups are under way at once.
	mask := uint32(len(r.table) - 1)
	for i, h := range hashes {
		buf[i] = r.table[firstSlot(h)&mask] ^ slotOf(-1, h) // 1 + the index of an entry, if the rest is equal
	}
	for _, i := range buf[:len(hashes)] {
		if i--; i < uint32(len(r.entries)) {
			r.touched |= uint32(r.log[r.entries[i].from])
		}
	}
}
