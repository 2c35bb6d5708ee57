package format

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Head is the parsed item under a structure's key.
type Head struct {
	Segments []Segment // oldest first
	Pointers []byte    // as written
	Tail     []byte    // the tokens after the pointers
	Letter   byte      // of the structure's kind: the letter of the first pointer, or else of the first token
}

// ParseHead parses the value of a head. It refuses pointers that are malformed,
// duplicate or of several kinds, and more or longer segments than a structure may have.
// Of the tail it parses only the first token.
func ParseHead(value []byte) (h Head, ok bool) {
	rest := value
	for {
		rest = TrimSpace(rest)
		if len(rest) == 0 || rest[0] != '@' {
			if parts, bytes := Extent(h.Segments); parts > MaxParts || bytes > MaxStructure {
				return Head{}, false
			}
			h.Pointers, h.Tail = value[:len(value)-len(rest)], rest
			if h.Letter = LetterOf(rest); len(h.Segments) > 0 {
				h.Letter = h.Segments[0].Letter
			}
			return h, true
		}
		pointer, more, ended := bytes.Cut(rest[1:], []byte{' '})
		s, ok := parsePointer(pointer)
		if !ended || !ok || len(h.Segments) == MaxSegments || slices.ContainsFunc(h.Segments, s.sameAs) {
			return Head{}, false
		}
		if len(h.Segments) > 0 && s.Letter != h.Segments[0].Letter {
			return Head{}, false
		}
		h.Segments = append(h.Segments, s)
		rest = more
	}
}

// PartKeys returns the keys of all parts of the structure under key with the given
// head, and false if that is no well-formed head. It is for tests.
func PartKeys(key, head []byte) (keys []string, ok bool) {
	h, ok := ParseHead(head)
	for _, op := range AppendOps(nil, verbs.Fetch, key, h.Segments) {
		keys = append(keys, string(op.Key))
	}
	return keys, ok
}

// Prefix returns the pointers to the first n segments.
func (h *Head) Prefix(n int) (text []byte) {
	for i := range n {
		text = h.Segments[i].AppendPointer(text)
	}
	return text
}

// SettledFrom returns the index of the first of the last segments that settling folds
// together with a tail of so many bytes. None of these has more than `short` bytes, and all
// of it is at most twice as long as that, since clients wait for it.
func (h *Head) SettledFrom(tail, short int) int { return h.runOf(tail, short, 2*short) }

// ToMerge returns which segments have become similar in size and should be merged, as the index
// of the first and the one after the last; both are equal if there are none. Segments at the
// end that settling may fold, see SettledFrom, are left to it.
func (h *Head) ToMerge(short int) (from, to int) {
	to = len(h.Segments)
	for to > 0 && h.Segments[to-1].Bytes <= short {
		to--
	}
	last := to - 1
	if last < 1 {
		return to, to
	}
	front := Head{Segments: h.Segments[:last]}
	if from = front.runOf(h.Segments[last].Bytes, MaxStructure, MaxStructure); from == last {
		return to, to
	}
	return from, to
}

// runOf returns the index of the first of the last segments that should be folded
// together with a tail of so many bytes. Each of these segments is at most twice as
// long as everything after it, so in a log of n bytes no byte is folded more than O(log
// n) times. None has more than `longest` bytes, and together with the tail they have at
// most `most`.
func (h *Head) runOf(tail, longest, most int) int {
	from := len(h.Segments)
	for size := tail; from > 0; from-- {
		s := h.Segments[from-1].Bytes
		if s > 2*size || s > longest || size+s > most {
			break
		}
		size += s
	}
	return from
}
