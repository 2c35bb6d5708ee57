package rankings

import (
	"bytes"
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
)

// The entries are found by their members in a hash table with linear probing, at most half
// full. A slot is 0, or has 1 + the index of an entry in the lower bits and a part of the hash
// above them. Without the hash, each slot that a search passes would require a look at its entry,
// which in a large ranking takes as long as everything else.

// indexBits is how many bits of a slot are an index. A log has at most 64 MB, and a token at least
// four bytes.
const indexBits = 25

// slotOf returns the slot of entry i.
func slotOf(i int, hash uint32) uint32 { return hash>>indexBits<<indexBits | uint32(i+1) }

// entryIn returns the index of the entry in a slot that is not 0.
func entryIn(slot uint32) uint32 { return slot&(1<<indexBits-1) - 1 }

// seed is random for every process, so that nobody can construct members that collide.
var seed = maphash.MakeSeed()

// hash returns the hash of a member, without flags.
func hash(member []byte) uint32 { return uint32(maphash.Bytes(seed, member)) &^ flags }

// fits reports whether the table is large enough for so many more entries.
func (r *Ranking) fits(more int) bool { return 2*(len(r.entries)+more) <= len(r.table) }

// firstSlot returns the first slot to look at for a member with the given hash, before it is
// reduced to the size of the table.
func firstSlot(hash uint32) uint32 { return hash / (flags + 1) }

// slot returns the slot of a member with the given hash, or the free slot where it belongs.
func (r *Ranking) slot(hash uint32, member []byte) *uint32 {
	return verbs.SlotIn(r.table, firstSlot(hash), func(slot uint32) bool {
		if slot>>indexBits != hash>>indexBits {
			return false
		}
		of := &r.entries[entryIn(slot)]
		return of.hash&^flags == hash && bytes.Equal(of.member(r.log), member)
	})
}

// entryOf returns the index of the entry of a member whose name in the log ends at index end. If
// there is none, it makes one.
func (r *Ranking) entryOf(member []byte, end int) uint32 {
	if !r.fits(1) {
		r.grow()
	}
	h := hash(member)
	slot := r.slot(h, member)
	if *slot == 0 {
		r.entries = append(r.entries, entry{hash: h, from: uint32(end - len(member)), to: uint32(end)})
		*slot = slotOf(len(r.entries)-1, h)
	}
	return entryIn(*slot)
}

// grow makes the table larger.
func (r *Ranking) grow() {
	r.table = verbs.ClearTable(nil, r.table, 2*len(r.entries))
	for i := range r.entries {
		e := &r.entries[i]
		*r.slot(e.hash&^flags, e.member(r.log)) = slotOf(i, e.hash)
	}
}

// find returns the index of the entry of a member, and false if there is no such member now.
func (r *Ranking) find(member []byte) (i uint32, ok bool) {
	if len(r.table) == 0 {
		return 0, false
	}
	slot := *r.slot(hash(member), member)
	if slot == 0 {
		return 0, false
	}
	i = entryIn(slot)
	return i, r.entries[i].isMember()
}

// Score returns the score of a member, and false if there is no such member.
func (r *Ranking) Score(member []byte) (score int64, ok bool) {
	i, ok := r.find(member)
	if !ok {
		return 0, false
	}
	return r.entries[i].score, true
}
