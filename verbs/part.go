package verbs

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

const (
	// LongestPartName is how many bytes may follow the prefix in the key of a part.
	LongestPartName = 20
	// longestPrefix is how many bytes of the structure's key precede the part's name at
	// most, so that the whole fits memcached's limit for keys. The name alone
	// distinguishes parts; the prefix is for people.
	longestPrefix = protocol.MaxKey - len(":") - LongestPartName
)

// AppendPartPrefix appends to dst the prefix of the keys of a structure's parts: the
// structure's key, truncated if it is very long, and a colon.
func AppendPartPrefix(dst, structure []byte) []byte {
	return append(append(dst, structure[:min(len(structure), longestPrefix)]...), ':')
}

// IsPart reports whether key may be the key of a part of a structure.
func IsPart(key, structure []byte) bool {
	prefix := AppendPartPrefix(nil, structure)
	return len(key) > len(prefix) && bytes.HasPrefix(key, prefix)
}
