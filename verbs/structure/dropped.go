package structure

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// Dropped are the members that [Engine.Prune] has dropped from a log. If one of them is appended again before the log is
// rewritten, the change is not made: others may have seen the member at its old place since, and it would move to the end
// although it was there all the time.
type Dropped struct {
	hashes []uint64 // ascending once the change is made
}

var droppedSeed = maphash.MakeSeed()

// Add adds a member.
func (d *Dropped) Add(member []byte) {
	d.hashes = append(d.hashes, maphash.Bytes(droppedSeed, member))
}

// any reports whether there are members.
func (d *Dropped) any() bool { return len(d.hashes) > 0 }

// isIn reports whether appended tokens have one of the members, or, rarely, one with the hash of one.
func (d *Dropped) isIn(appended []byte) bool {
	if !d.any() {
		return false
	}
	slices.Sort(d.hashes)
	for len(appended) > 0 {
		var token []byte
		token, appended = protocol.NextWord(appended)
		if member, added := bytes.CutPrefix(token, []byte{'+'}); added {
			if _, found := slices.BinarySearch(d.hashes, maphash.Bytes(droppedSeed, member)); found {
				return true
			}
		}
	}
	return false
}
