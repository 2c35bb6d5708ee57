package catalog

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs/locks"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A head is what verbs store under the key of a structure itself: the head of a set, list, ranking or queue, the anchor of a
// table or its index, or a lock. Nothing but its value tells it from a plain item.

const (
	// muchChecked is how many bytes of a value are checked, if the first word is not longer. A value that begins with so many
	// tokens is not plain.
	muchChecked = 1 << 10
	// longestChecked is how long the first word may be, in bytes. The longest token of verbs is of an element of a list.
	longestChecked = 128 << 10
)

// IsHead reports whether an item may be a head, given its flags and value. Verbs store heads without flags, and end each
// token with a space; a set that was emptied may be an empty item. A plain item is taken for a head only if it is empty too,
// or is made of such words.
func IsHead(flags uint32, value []byte) bool {
	if flags != 0 || len(value) == 0 {
		return flags == 0
	}
	words := firstWords(value)
	if _, _, ok := locks.Holder(words); ok {
		_, others, _ := bytes.Cut(words, []byte{' '})
		return areForeign(others)
	}
	h, ok := format.ParseHead(words)
	if !ok || len(h.Segments) > 0 {
		return ok
	}
	first := bytes.IndexAny(h.Tail, " \t\n\v\f\r")
	return first >= 0 && h.Tail[first] == ' ' && areTokens(h.Tail, format.KindOf(h.Letter))
}

// firstWords returns the value, or of a long one the first words, with the space after them; nothing if the first one is too long.
func firstWords(value []byte) []byte {
	if len(value) <= muchChecked {
		return value
	}
	if end := bytes.LastIndexByte(value[:muchChecked], ' '); end >= 0 {
		return value[:end+1]
	}
	return value[:bytes.IndexByte(value[:min(len(value), longestChecked)], ' ')+1]
}

// areTokens reports whether text consists of tokens of a kind, nil for none, and of other kinds. It folds them one by one: so
// it takes no memory for the structure, nor time for what a log of many tokens does.
func areTokens(text []byte, kind *format.Kind) bool {
	if kind == nil {
		return false
	}
	fold := kind.New()
	for word := range format.Words(text) {
		if format.Foreign(word, kind.Letter) {
			if !isOfKind(word) {
				return false
			}
		} else if !fold.Read(nil, word, 0) {
			return false
		}
	}
	return true
}

// areForeign reports whether text consists of tokens that verbs have appended to a lock by mistake.
func areForeign(text []byte) bool {
	for word := range format.Words(text) {
		if !isOfKind(word) {
			return false
		}
	}
	return true
}

// isOfKind reports whether a token has the letter of a kind.
func isOfKind(token []byte) bool { return format.KindOf(format.LetterOf(token)) != nil }
