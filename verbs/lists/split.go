package lists

import (
	"encoding/binary"
	"math/bits"

	"github.com/memverbs/memverbs/verbs/structure/format"
)

// splitter splits a log into tokens.
type splitter struct {
	log     []byte
	tokens  []token
	start   int // where the next word begins
	foreign int // tokens of other kinds
	letters int // letters alone, which mean nothing in a list that has elements
	bad     bool
}

// some splits the log from index from to index to, where it has been split up to from. A word that
// does not end before to is left for later.
func (s *splitter) some(from, to int) {
	for i := from + printable(s.log[from:to]); i < to; i += 1 + printable(s.log[i+1:to]) {
		if format.Space(s.log[i]) {
			s.word(i)
		}
	}
}

// printable returns how many bytes come before the first space or control character of text, eight of them at a time in a
// register: the data of an element is one long word.
func printable(text []byte) int {
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		x := binary.LittleEndian.Uint64(text[at:])
		if few := (x - (' '+1)*each) &^ x & (0x80 * each); few != 0 { // the lowest bit that is set is exact
			return at + bits.TrailingZeros64(few)/8
		}
	}
	for ; at < len(text) && text[at] > ' '; at++ {
	}
	return at
}

// each has a 1 in each byte.
const each = 0x0101010101010101

// end splits off the last word, after all others.
func (s *splitter) end() { s.word(len(s.log)) }

// word adds the word that ends at index end.
func (s *splitter) word(end int) {
	word, from := s.log[s.start:end], s.start
	s.start = end + 1
	switch {
	case len(word) == 0:
	case isToken(word):
		s.tokens = append(s.tokens, token{hash: hash(word[2:]), from: uint32(from + 2), to: uint32(end)})
	case isDataToken(word):
		id := word[len("l+>"):][:idSize]
		s.tokens = append(s.tokens, token{hash: hash(id) | ofData, from: uint32(from + len("l+>")), to: uint32(end)})
	case len(word) == 1 && word[0] == letter:
		s.letters++
	case format.Foreign(word, letter):
		s.foreign++
	default:
		s.bad = true
	}
}

// isToken reports whether word is a token of lists that is about no element with data.
func isToken(word []byte) bool {
	if len(word) < len("l>v") || word[0] != letter {
		return false
	}
	switch word[1] {
	case pushRight, pushLeft, removeAll, removeFirst, removeLast, signValue:
		return true
	case signOrder:
		_, ok := parseOrder(word[2:])
		return ok
	case signRemoved:
		_, rest, ok := format.ParseOrderID(word[2:])
		return ok && len(rest) == 0
	}
	return false
}

// isDataToken reports whether word is a token of lists about an element with data.
func isDataToken(word []byte) bool {
	if len(word) < len("l+>")+idSize || word[0] != letter || word[1] != signData {
		return false
	}
	switch text := word[len("l+>"):]; word[2] {
	case pushRight, pushLeft, signValue:
		return isData(text)
	case removeAll:
		return len(text) == idSize
	}
	return false
}
