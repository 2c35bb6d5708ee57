package verbs

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

const (
	// LongestPartName is how long what follows the prefix may be in the key of a part, in
	// bytes.
	LongestPartName = 20
	// longestPrefix is how much of the structure's key stands in front of that at most,
	// so that the whole is no longer than a key may be. The name is enough to tell parts
	// apart; the rest is for people, and for hash tags.
	longestPrefix = protocol.MaxKey - len(":") - LongestPartName
)

// AppendPartPrefix appends to dst what the keys of all parts of a structure begin with,
// but for the item under its own key: the structure's key, cut if it is very long, and a
// colon.
func AppendPartPrefix(dst, structure []byte) []byte {
	return append(append(dst, structure[:min(len(structure), longestPrefix)]...), ':')
}

// IsPart reports whether key may be that of a part of a structure.
func IsPart(key, structure []byte) bool {
	prefix := AppendPartPrefix(nil, structure)
	return len(key) > len(prefix) && bytes.HasPrefix(key, prefix)
}
