package moving

import "time"

// Item is an item of memcached.
type Item struct {
	Data  []byte
	Flags uint32
	TTL   int64 // how many seconds it has left, Never if it does not expire
	CAS   uint64
}

// Never is the TTL of an item that does not expire.
const Never = -1

// Placeholder is the data of an item that reserves a key on its new server: whoever stored it either brings the item over, or
// adds one. To clients it is no item. If its data were shorter, a client's item might have the same.
const Placeholder = "\x00\xf1moving\x93\x1d\xe4\x07\xb8\x5ck\xa2"

// PlaceholderTTL is how many seconds a placeholder is kept if nobody replaces it.
const PlaceholderTTL = 5

// after returns the item as it is after some time, in which it may have expired.
func (i Item) after(passed time.Duration) (left Item, expired bool) {
	if i.TTL == Never {
		return i, false
	}
	i.TTL -= int64(passed / time.Second)
	return i, i.TTL <= 0
}
