package lists

import "github.com/memverbs/memverbs/verbs/structure/format"

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
	for i := from; i < to; i++ {
		if c := s.log[i]; c <= ' ' && format.Space(c) {
			s.word(i)
		}
	}
}

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
