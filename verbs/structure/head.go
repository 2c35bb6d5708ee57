package structure

import (
	"bytes"
	"slices"
)

// head is the item under a structure's key, taken apart.
type head struct {
	segments []segment // oldest first
	pointers []byte    // as they are written
	tail     []byte    // the log behind them
	letter   byte      // of its kind: that of its first pointer, or else of its first token
}

// parseHead takes the value of an item apart. It refuses pointers that are
// malformed, that name a segment twice or segments of several kinds, and segments that
// are more than any structure has; of the tail, it looks at the first token only.
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

// Space reports whether c is white space.
func Space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func trimSpace(text []byte) []byte {
	for len(text) > 0 && Space(text[0]) {
		text = text[1:]
	}
	return text
}

// prefix returns the pointers to the first n segments.
func (h *head) prefix(n int) (text []byte) {
	for i := range n {
		text = h.segments[i].appendPointer(text)
	}
	return text
}

// runOf returns the first of the last segments that are to be folded together
// with a log of so many bytes behind them: each is at most twice as long as all
// behind it, so no byte is folded again more often than the logarithm of the
// whole. They are not more than most bytes together.
func (h *head) runOf(tail, most int) int {
	from := len(h.segments)
	for size := tail; from > 0; from-- {
		s := h.segments[from-1].bytes
		if s > 2*size || size+s > most {
			break
		}
		size += s
	}
	return from
}

// mergeFrom returns the first of the last segments that have become similar in
// size, which is the last if no others have.
func (h *head) mergeFrom() int {
	last := len(h.segments) - 1
	if last < 1 {
		return last
	}
	front := head{segments: h.segments[:last]}
	return front.runOf(h.segments[last].bytes, maxStructure)
}

// mergeable reports whether there are segments to merge.
func (h *head) mergeable() bool { return h.mergeFrom() < len(h.segments)-1 }
