package verbs

import "bytes"

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
