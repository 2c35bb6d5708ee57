package locks

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// letter is the letter of the kind, see package structure.
const letter = 'x'

// longestItem is the length, in bytes, from which an item does not count as a lock. It leaves room for the
// longest token, and for much that was appended by mistake.
const longestItem = 8 << 10

// appendItem appends to dst the value of a lock that token holds.
func appendItem(dst, token []byte) []byte {
	dst = append(dst, letter, ':')
	return append(append(dst, token...), ' ')
}

// Holder returns the token that holds a lock, given the value of its item. It returns false if the
// value is not that of a lock.
func Holder(value []byte) (token []byte, ok bool) {
	token, _, ok = parseItem(value)
	return token, ok
}

// parseItem is Holder, but also returns how many tokens of other kinds follow.
func parseItem(value []byte) (token []byte, foreign int, ok bool) {
	token, rest, ended := bytes.Cut(value, []byte{' '})
	token, marked := bytes.CutPrefix(token, []byte{letter, ':'})
	if !ended || !marked || !protocol.PlainWord(token) {
		return nil, 0, false
	}
	for word := range format.Words(rest) {
		if !format.Foreign(word, letter) {
			return nil, 0, false
		}
		foreign++
	}
	return token, foreign, true
}
