package verify

import (
	"bytes"
	"net/url"

	"github.com/memverbs/memverbs/protocol"
)

// item is what a server tells about an item.
type item struct {
	key  []byte
	used int64 // when it was last used, in seconds since 1970; 0 if that is unknown
}

// parseItem parses a line of a metadump, without its end. It has the key, percent-encoded, and
// other fields, of which newer versions have more:
//
//	key=user%3A7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65 flags=0
//
// It refuses a line without a key, and a key that can't be memcached's.
func parseItem(line []byte) (it item, ok bool) {
	encoded, ok := bytes.CutPrefix(line, []byte("key="))
	if !ok {
		return it, false
	}
	encoded, rest, _ := bytes.Cut(encoded, []byte{' '})
	key, err := url.PathUnescape(string(encoded))
	if err != nil || len(key) == 0 || len(key) > protocol.MaxKey {
		return it, false
	}
	it.key = []byte(key)
	for field := range bytes.FieldsSeq(rest) {
		name, value, _ := bytes.Cut(field, []byte{'='})
		if string(name) == "la" {
			n, _ := protocol.ParseInt(value)
			it.used = max(n, 0)
		}
	}
	return it, true
}
