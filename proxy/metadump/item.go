package metadump

import (
	"bytes"
	"net/url"

	"github.com/memverbs/memverbs/protocol"
)

// Item is what a server tells about an item.
type Item struct {
	Key     []byte // 1 to 250 bytes of any kind
	CAS     uint64 // 0 if that is unknown, as the server keeps none
	Expires int64  // in seconds since 1970, Never if it does not expire; 0 if that is unknown
	Used    int64  // when it was last used, in seconds since 1970; 0 if that is unknown
}

// Never is when an item expires that does not.
const Never = -1

// parseItem parses a line of a metadump, without its end. It has the key, percent-encoded, and
// other fields, of which newer versions have more:
//
//	key=user%3A7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65 flags=0
//
// It refuses a line without a key, or with another one in it, and a key that can't be memcached's.
func parseItem(line []byte) (it Item, ok bool) {
	encoded, ok := bytes.CutPrefix(line, []byte("key="))
	if !ok {
		return it, false
	}
	encoded, rest, _ := bytes.Cut(encoded, []byte{' '})
	key, err := url.PathUnescape(string(encoded))
	if err != nil || len(key) == 0 || len(key) > protocol.MaxKey || bytes.Contains(encoded, []byte{'='}) || bytes.Contains(rest, []byte("key=")) {
		return it, false
	}
	it.Key = []byte(key)
	for field := range bytes.FieldsSeq(rest) {
		name, value, _ := bytes.Cut(field, []byte{'='})
		if !it.set(string(name), value) {
			return it, false
		}
	}
	return it, true
}

// set sets what a field tells.
func (it *Item) set(name string, value []byte) (ok bool) {
	switch name {
	case "cas":
		it.CAS, ok = protocol.ParseUint(value)
	case "exp":
		it.Expires, ok = protocol.ParseInt(value)
	case "la":
		it.Used, ok = protocol.ParseInt(value)
		it.Used = max(it.Used, 0)
	default:
		return true
	}
	return ok
}
