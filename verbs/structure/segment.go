package structure

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// segment is a section of a structure's log that has been moved out of the head into
// one or more items that never change, its parts. The head, which is the item under the
// structure's key, has a pointer to each segment:
//
//	@<id>:<parts>:<bytes>
//
// followed by a colon and the letter of its kind, if the kind has one. The parts are
// the items <key>:<id>.0, <key>:<id>.1 and so on; concatenated in this order they have
// <bytes> bytes. Ids are never reused.
type segment struct {
	id     verbs.ID
	parts  int
	bytes  int
	letter byte // of the kind
}

const segmentSize = int(unsafe.Sizeof(segment{}))

// This fails to compile if the name of a part can be too long.
const _ = uint(verbs.LongestPartName - verbs.IDSize - len(".255"))

// Limits of what a head may make its reader fetch, since clients can write anything
// under the key.
const (
	// maxStructure is the greatest total length of a structure's segments, in bytes, at
	// which it can still be read.
	maxStructure = verbs.MaxAnswer
	// maxParts is the greatest total number of their parts.
	maxParts = 1 << 8
	// MaxSegments is the greatest number of segments.
	MaxSegments = 1 << 7
)

// sameAs reports whether s has the id of another segment.
func (s *segment) sameAs(other segment) bool { return s.id == other.id }

// newSegment returns an empty segment with a new random id.
func newSegment(env verbs.Env, letter byte) segment {
	return segment{id: verbs.NewID(env), letter: letter}
}

// parsePointer parses a pointer without its leading @. It checks that the id is base64,
// since other characters could break the line of the request that fetches a part.
func parsePointer(text []byte) (s segment, ok bool) {
	if len(text) <= verbs.IDSize || text[verbs.IDSize] != ':' || !verbs.IsID(text[:verbs.IDSize]) {
		return s, false
	}
	copy(s.id[:], text)
	parts, size, _ := bytes.Cut(text[verbs.IDSize+1:], []byte{':'})
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

// appendOps appends to dst one operation for each part of each segment.
func appendOps(dst []verbs.Op, kind verbs.OpKind, key []byte, segments []segment) []verbs.Op {
	for i := range segments {
		for n := range segments[i].parts {
			dst = append(dst, verbs.Op{Kind: kind, Key: segments[i].appendPartKey(nil, key, n), Of: key})
		}
	}
	return dst
}

// extent returns the total number of parts and bytes of segments.
func extent(segments []segment) (parts, bytes int) {
	for i := range segments {
		parts += segments[i].parts
		bytes += segments[i].bytes
	}
	return parts, bytes
}
