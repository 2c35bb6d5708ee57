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

// longestLongName is how many bytes the name of a part has at most, see AppendLongPartKey.
const longestLongName = 217

// AppendLongPartKey appends to dst the key of a part whose name may be longer than
// LongestPartName, up to 217 bytes: the structure's key, a colon and the name. The
// structure's key is truncated if the whole would be too long.
func AppendLongPartKey(dst, structure []byte, name ...[]byte) []byte {
	most := protocol.MaxKey - len(":") // for the beginning of the structure's key
	for _, piece := range name {
		most -= len(piece)
	}
	dst = append(append(dst, structure[:min(len(structure), most, longestPrefix)]...), ':')
	for _, piece := range name {
		dst = append(dst, piece...)
	}
	return dst
}

// IsCut reports whether the key of a part, which has a prefix of n bytes before a colon, may have lost the end of the
// structure's key there: only a key that would be too long otherwise is cut.
func IsCut(key []byte, n int) bool {
	return n == longestPrefix || n < longestPrefix && len(key) == protocol.MaxKey
}

// IsNumber reports whether text is a number from least to most, as the name of a part has it.
func IsNumber(text []byte, least, most uint64) bool {
	n, ok := protocol.ParseUint(text)
	return ok && n >= least && n <= most && (text[0] != '0' || len(text) == 1)
}

// IsPart reports whether key may be the key of a part of a structure.
func IsPart(key, structure []byte) bool {
	prefix := AppendPartPrefix(nil, structure)
	if len(key) > len(prefix) && bytes.HasPrefix(key, prefix) {
		return true
	}
	if len(key) < protocol.MaxKey { // only a key of this length can be truncated for a long name
		return false
	}
	for n := protocol.MaxKey - len(":") - longestLongName; n < min(len(structure), longestPrefix); n++ {
		if key[n] == ':' && bytes.HasPrefix(key, structure[:n]) {
			return true
		}
	}
	return false
}
