package differential

import "fmt"

// identities knows which CAS id of one side is which of the other. Both sides
// count for themselves, and behind a proxy each upstream does, so only this
// can be asked of an id: that it always stands for the same on the other side.
type identities struct {
	single  bool // there is one upstream, so the reverse holds too
	there   map[uint64]uint64
	back    map[uint64]uint64
	history map[string][][2]uint64 // of each key
}

func newIdentities(single bool) *identities {
	return &identities{
		single:  single,
		there:   map[uint64]uint64{},
		back:    map[uint64]uint64{},
		history: map[string][][2]uint64{},
	}
}

// unseen is the id of items that have not been seen.
const unseen = 999999999

// id returns the id that was seen of a key, a few back.
func (k *identities) id(key string, back int, s sideName) uint64 {
	seen := k.history[key]
	if len(seen) == 0 {
		return unseen
	}
	return seen[max(0, len(seen)-1-back)][s]
}

// meet notes that two ids were seen in the same place. It says what is wrong
// if that can't be. key is empty if it is not known.
func (k *identities) meet(key string, ids [2]uint64) (wrong string) {
	if ids[0] == 0 || ids[1] == 0 { // no item's
		if ids[0] != ids[1] {
			return fmt.Sprintf("CAS id %d here, %d there", ids[0], ids[1])
		}
		return ""
	}
	if known, ok := k.there[ids[0]]; ok && known != ids[1] {
		return fmt.Sprintf("CAS id %d was %d there before, and is %d now", ids[0], known, ids[1])
	}
	if known, ok := k.back[ids[1]]; ok && k.single && known != ids[0] {
		return fmt.Sprintf("CAS id %d there was %d here before, and is %d now", ids[1], known, ids[0])
	}
	k.there[ids[0]], k.back[ids[1]] = ids[1], ids[0]
	if seen := k.history[key]; key != "" && (len(seen) == 0 || seen[len(seen)-1] != ids) {
		k.history[key] = append(seen, ids)
	}
	return ""
}
