package rankings

import "bytes"

// Folding a token means looking up its member, and in a large ranking nearly every look-up waits
// for memory three times: for a slot of the table, for the entry, and for the member in the log.
// One after another, these waits are most of the time of folding. So the members of the next tokens
// are looked up ahead, only to bring what they need into the processor's caches (prefetching).
// These look-ups do not depend on each other, so the processor makes several of them at a time.

const (
	// ahead is how many bytes of the log are prefetched for at a time: so few that what was
	// prefetched is still in the caches when it is needed.
	ahead = 2 << 10
	// nearTable is the number of slots up to which a table is in the caches anyway.
	nearTable = 1 << 12
	// few is the number of bytes from which prefetching for a log is worth while.
	few = 64
)

// lookAhead prefetches for the members that the log names from index from to index to. It skips
// tokens that remove a member, which have no colon.
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
	// Short loops, so that the processor makes many of their look-ups at once.
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
