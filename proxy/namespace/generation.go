package namespace

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// Generation is the word that the keys of a namespace have in them on a server. The zero value is no generation.
type Generation [Length]byte

// Length is how many bytes a generation makes a key longer.
const Length = 8

// NewGeneration returns a generation made of random bits, of which it takes 48. It must not be one that there was before, or
// what that has hidden would come back.
func NewGeneration(random uint64) (g Generation) {
	bits := binary.LittleEndian.AppendUint64(nil, random)
	base64.RawURLEncoding.Encode(g[:], bits[:base64.RawURLEncoding.DecodedLen(Length)])
	return g
}

// ParseGeneration returns the generation that an item holds. Anything but a generation is none: then the item is replaced.
func ParseGeneration(data []byte) (g Generation, ok bool) {
	if len(data) != Length || !protocol.PlainWord(data) {
		return Generation{}, false
	}
	return Generation(data), true
}

// TooLong returns the error for a key in a namespace that is longer than most bytes.
func TooLong(most int) string {
	return fmt.Sprintf("CLIENT_ERROR the key is too long for a namespace: it may have %d bytes", most)
}

// In returns the generation in the reply to a get of the item under the text of a namespace, none if there is none in it.
func In(reply, text []byte) Generation {
	n := protocol.CutValue(reply, text)
	if n == 0 {
		return Generation{}
	}
	var unit protocol.Reply
	_, _, _ = protocol.ParseReply(reply[:n], &unit)
	g, _ := ParseGeneration(unit.Data)
	return g
}

// Known reports whether g is a generation.
func (g Generation) Known() bool { return g != Generation{} }

// AppendKey appends to dst the key under which key is stored. The first n bytes of key are its namespace.
func (g Generation) AppendKey(dst, key []byte, n int) []byte {
	return append(append(append(dst, key[:n]...), g[:]...), key[n:]...)
}

// Shown returns the key, as its client has it, of a stored key whose namespace has n bytes. It is in dst, which is
// overwritten.
func Shown(dst, stored []byte, n int) []byte {
	return append(append(dst[:0], stored[:n]...), stored[n+Length:]...)
}
