package format

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Segment is a section of a structure's log that has been moved out of the head into
// one or more items that never change, its parts. The head, which is the item under the
// structure's key, has a pointer to each segment:
//
//	@<id>:<parts>:<bytes>
//
// followed by a colon and the letter of its kind, if the kind has one. The parts are
// the items <key>:<id>.0, <key>:<id>.1 and so on; concatenated in this sequence they have
// <bytes> bytes. Ids are never reused.
type Segment struct {
	id     verbs.ID
	Parts  int
	Bytes  int
	Letter byte // of the kind
}

// SegmentSize is how much memory a Segment takes, in bytes.
const SegmentSize = int(unsafe.Sizeof(Segment{}))

// This fails to compile if the name of a part can be too long.
const _ = uint(verbs.LongestPartName - verbs.IDSize - len(".255"))

// Limits of what a head can make its reader fetch. They are needed because clients can write
// anything under the key.
const (
	// MaxStructure is the greatest total length of a structure's segments, in bytes, at
	// which it can still be read.
	MaxStructure = verbs.MaxAnswer
	// MaxParts is the greatest total number of their parts.
	MaxParts = 1 << 8
	// MaxSegments is the greatest number of segments.
	MaxSegments = 1 << 7
)

// sameAs reports whether s has the id of another segment.
func (s *Segment) sameAs(other Segment) bool { return s.id == other.id }

// NewSegment returns an empty segment with a new random id.
func NewSegment(env verbs.Env, letter byte) Segment {
	return Segment{id: verbs.NewID(env), Letter: letter}
}

// parsePointer parses a pointer without its leading @. It checks that the id is base64,
// since other characters could break the line of the request that fetches a part.
func parsePointer(text []byte) (s Segment, ok bool) {
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
		s.Letter = letter[0]
	}
	numParts, okParts := protocol.ParseUint(parts)
	numBytes, okBytes := protocol.ParseUint(size)
	s.Parts, s.Bytes = int(numParts), int(numBytes)
	return s, okParts && okBytes && numParts >= 1 && numParts <= MaxParts && numBytes <= MaxStructure
}

// AppendPointer appends the pointer to s, and a space.
func (s *Segment) AppendPointer(dst []byte) []byte {
	dst = append(append(dst, '@'), s.id[:]...)
	dst = strconv.AppendInt(append(dst, ':'), int64(s.Parts), 10)
	dst = strconv.AppendInt(append(dst, ':'), int64(s.Bytes), 10)
	if s.Letter != 0 {
		dst = append(dst, ':', s.Letter)
	}
	return append(dst, ' ')
}

// AppendPartKey appends the key of the n-th part of a segment of the structure
// under key.
func (s *Segment) AppendPartKey(dst, key []byte, n int) []byte {
	dst = verbs.AppendPartPrefix(dst, key)
	dst = append(append(dst, s.id[:]...), '.')
	return strconv.AppendInt(dst, int64(n), 10)
}

// IsPartName reports whether name, which follows the structure's key and a colon, has the form of the name of a part:
// <id>.<number>.
func IsPartName(name []byte) bool {
	rest, ok := verbs.CutID(name)
	number, dot := bytes.CutPrefix(rest, []byte{'.'})
	return ok && dot && verbs.IsNumber(number, 0, MaxParts-1)
}

// AppendOps appends to dst one operation for each part of each segment.
func AppendOps(dst []verbs.Op, kind verbs.OpKind, key []byte, segments []Segment) []verbs.Op {
	for i := range segments {
		for n := range segments[i].Parts {
			dst = append(dst, verbs.Op{Kind: kind, Key: segments[i].AppendPartKey(nil, key, n), Of: key})
		}
	}
	return dst
}

// Extent returns the total number of parts and bytes of segments.
func Extent(segments []Segment) (parts, bytes int) {
	for i := range segments {
		parts += segments[i].Parts
		bytes += segments[i].Bytes
	}
	return parts, bytes
}
