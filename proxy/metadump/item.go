package metadump

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

// Item is what a server tells about an item.
type Item struct {
	Key     []byte // 1 to 250 bytes of any kind, valid until the func that is passed the item returns
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
// It refuses a line without a key, or with another one in it, and a key that can't be memcached's. The key is appended to into.
func parseItem(line, into []byte) (it Item, ok bool) {
	encoded, ok := bytes.CutPrefix(line, []byte("key="))
	if !ok {
		return it, false
	}
	encoded, rest, _ := bytes.Cut(encoded, []byte{' '})
	if it.Key, ok = appendDecoded(into, encoded); !ok || len(it.Key) == 0 || len(it.Key) > protocol.MaxKey || bytes.Contains(rest, []byte("key=")) {
		return it, false
	}
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

// appendDecoded appends what a percent-encoding stands for, in which a = stands for nothing.
func appendDecoded(to, encoded []byte) ([]byte, bool) {
	for len(encoded) > 0 {
		c, n := encoded[0], 1
		switch c {
		case '=':
			return to, false
		case '%':
			if n = 3; len(encoded) < n {
				return to, false
			}
			high, low := digit(encoded[1]), digit(encoded[2])
			if high > 15 || low > 15 {
				return to, false
			}
			c = high<<4 | low
		}
		to, encoded = append(to, c), encoded[n:]
	}
	return to, true
}

// digit returns what a hexadecimal digit stands for, more than 15 if it is none.
func digit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
