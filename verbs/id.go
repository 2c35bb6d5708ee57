package verbs

import (
	"encoding/base64"
	"encoding/binary"
)

// IDSize is the length of an [ID].
const IDSize = 16

// ID is a unique name: 96 random bits in URL-safe base64.
type ID [IDSize]byte

// NewID returns a new ID.
func NewID(env Env) (id ID) {
	var random [12]byte
	binary.LittleEndian.PutUint64(random[:], env.Random())
	binary.LittleEndian.PutUint32(random[8:], uint32(env.Random()))
	base64.RawURLEncoding.Encode(id[:], random[:])
	return id
}

// IsID reports whether text can be an ID. Other text, as a part of a key, could break the line of a
// request.
func IsID(text []byte) bool {
	if len(text) != IDSize {
		return false
	}
	var random [12]byte
	n, err := base64.RawURLEncoding.Decode(random[:], text)
	return err == nil && n == len(random)
}

// CutID cuts an ID off the beginning of text. It returns false if there is none.
func CutID(text []byte) (rest []byte, ok bool) {
	if len(text) < IDSize || !IsID(text[:IDSize]) {
		return nil, false
	}
	return text[IDSize:], true
}
