package structure

import (
	"bytes"
	"slices"
)

// head is the parsed item under a structure's key.
type head struct {
	segments []segment // oldest first
	pointers []byte    // as written
	tail     []byte    // the tokens after the pointers
	letter   byte      // of the structure's kind: the letter of the first pointer, or else of the first token
}

// parseHead parses the value of a head. It refuses pointers that are malformed,
// duplicate or of several kinds, and more or longer segments than a structure may have.
// Of the tail it parses only the first token.
func parseHead(value []byte) (h head, ok bool) {
	rest := value
	for {
		rest = trimSpace(rest)
		if len(rest) == 0 || rest[0] != '@' {
			if parts, bytes := extent(h.segments); parts > maxParts || bytes > maxStructure {
				return head{}, false
			}
			h.pointers, h.tail = value[:len(value)-len(rest)], rest
			if h.letter = letterOf(rest); len(h.segments) > 0 {
				h.letter = h.segments[0].letter
			}
			return h, true
		}
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			return head{}, false
		}
		s, ok := parsePointer(rest[1:end])
		if !ok || len(h.segments) == MaxSegments || slices.ContainsFunc(h.segments, s.sameAs) {
			return head{}, false
		}
		if len(h.segments) > 0 && s.letter != h.segments[0].letter {
			return head{}, false
		}
		h.segments = append(h.segments, s)
		rest = rest[end+1:]
	}
}

// prefix returns the pointers to the first n segments.
func (h *head) prefix(n int) (text []byte) {
	for i := range n {
		text = h.segments[i].appendPointer(text)
	}
	return text
}

// settledFrom returns the index of the first of the last segments that settling folds
// together with a tail of so many bytes. None of these has more than `short` bytes, and all
// of it is at most twice as long as that, since clients wait for it.
func (h *head) settledFrom(tail, short int) int { return h.runOf(tail, short, 2*short) }

// toMerge returns which segments have become similar in size and should be merged, as the index
// of the first and the one after the last; both are equal if there are none. Segments at the
// end that settling may fold, see settledFrom, are left to it.
func (h *head) toMerge(short int) (from, to int) {
	to = len(h.segments)
	for to > 0 && h.segments[to-1].bytes <= short {
		to--
	}
	last := to - 1
	if last < 1 {
		return to, to
	}
	front := head{segments: h.segments[:last]}
	if from = front.runOf(h.segments[last].bytes, maxStructure, maxStructure); from == last {
		return to, to
	}
	return from, to
}

// runOf returns the index of the first of the last segments that should be folded
// together with a tail of so many bytes. Each of these segments is at most twice as
// long as everything after it, so in a log of n bytes no byte is folded more than O(log
// n) times. None has more than `longest` bytes, and together with the tail they have at
// most `most`.
func (h *head) runOf(tail, longest, most int) int {
	from := len(h.segments)
	for size := tail; from > 0; from-- {
		s := h.segments[from-1].bytes
		if s > 2*size || s > longest || size+s > most {
			break
		}
		size += s
	}
	return from
}
