package structure

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// segment is a stretch of a structure's log that has been moved out of the item
// under its key, into one or more items that never change, its parts. The head,
// which is the item under the key, has a pointer to it:
//
//	@<id>:<parts>:<bytes>
//
// with a colon and the letter of its kind behind that, if it has one.
// The parts are the items <key>:<id>.0, <key>:<id>.1 and so on; put together in
// this order they have so many bytes. No two segments ever share an id.
type segment struct {
	id     [idSize]byte
	parts  int
	bytes  int
	letter byte // of the kind
}

const segmentSize = int(unsafe.Sizeof(segment{}))

// idSize is the length of an id: 96 random bits in the URL's base64.
const idSize = 16

// The name of a part is no longer than it may be.
const _ = uint(verbs.LongestPartName - idSize - len(".255"))

// What a head may have its reader fetch. Anybody can write one.
const (
	// maxStructure is how long the segments of a structure may be together, in
	// bytes, so that it can still be read.
	maxStructure = verbs.MaxAnswer
	// maxParts is how many parts they may have together.
	maxParts = 1 << 8
	// MaxSegments is how many there may be.
	MaxSegments = 1 << 7
)

// sameAs reports whether s has the id of another segment.
func (s *segment) sameAs(other segment) bool { return s.id == other.id }

// newSegment makes up a segment.
func newSegment(env verbs.Env, letter byte) (s segment) {
	s.letter = letter
	var random [12]byte
	binary.LittleEndian.PutUint64(random[:], env.Random())
	binary.LittleEndian.PutUint32(random[8:], uint32(env.Random()))
	base64.RawURLEncoding.Encode(s.id[:], random[:])
	return s
}

// parsePointer reads a pointer, without the @ that it begins with. An id of
// other characters than base64's could break the line that asks for a part.
func parsePointer(text []byte) (s segment, ok bool) {
	if len(text) <= idSize || text[idSize] != ':' {
		return s, false
	}
	copy(s.id[:], text)
	var random [12]byte
	if n, err := base64.RawURLEncoding.Decode(random[:], s.id[:]); err != nil || n != len(random) {
		return s, false
	}
	parts, size, _ := bytes.Cut(text[idSize+1:], []byte{':'})
	size, letter, named := bytes.Cut(size, []byte{':'})
	if named {
		if len(letter) != 1 || letter[0] < 'a' || letter[0] > 'z' {
			return s, false
		}
		s.letter = letter[0]
	}
	numParts, okParts := protocol.ParseUint(parts)
	numBytes, okBytes := protocol.ParseUint(size)
	s.parts, s.bytes = int(numParts), int(numBytes)
	return s, okParts && okBytes && numParts >= 1 && numParts <= maxParts && numBytes <= maxStructure
}

// appendPointer appends the pointer to s, and a space.
func (s *segment) appendPointer(dst []byte) []byte {
	dst = append(append(dst, '@'), s.id[:]...)
	dst = strconv.AppendInt(append(dst, ':'), int64(s.parts), 10)
	dst = strconv.AppendInt(append(dst, ':'), int64(s.bytes), 10)
	if s.letter != 0 {
		dst = append(dst, ':', s.letter)
	}
	return append(dst, ' ')
}

// appendPartKey appends the key of the n-th part of a segment of the structure
// under key.
func (s *segment) appendPartKey(dst, key []byte, n int) []byte {
	dst = verbs.AppendPartPrefix(dst, key)
	dst = append(append(dst, s.id[:]...), '.')
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendOps appends to dst an operation for each part of each segment.
func appendOps(dst []verbs.Op, kind verbs.OpKind, key []byte, segments []segment) []verbs.Op {
	for i := range segments {
		for n := range segments[i].parts {
			dst = append(dst, verbs.Op{Kind: kind, Key: segments[i].appendPartKey(nil, key, n), Of: key})
		}
	}
	return dst
}

// extent returns how many parts and bytes segments have together.
func extent(segments []segment) (parts, bytes int) {
	for i := range segments {
		parts += segments[i].parts
		bytes += segments[i].bytes
	}
	return parts, bytes
}
