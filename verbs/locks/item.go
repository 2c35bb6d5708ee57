package locks

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// letter is the letter of the kind, see package structure.
const letter = 'x'

// longestItem is the length, in bytes, from which an item does not count as a lock. It leaves room for the
// longest token, and for much that was appended by mistake.
const longestItem = 8 << 10

// item is what the item of a place says.
type item struct {
	token   []byte // that holds the place
	holders int    // how many may hold the lock, as the holder says; 0 if it has not said that
	foreign int    // tokens of other kinds that follow
}

// append appends the value of the item to dst. An item with holders has a sign of its own, so that older versions do not
// take it for a lock of one holder.
func (i item) append(dst []byte) []byte {
	if dst = append(dst, letter); i.holders > 0 {
		dst = strconv.AppendInt(append(dst, '/'), int64(i.holders), 10)
	}
	return append(append(append(dst, ':'), i.token...), ' ')
}

// Holder returns the token that holds a lock, or a place of it, given the value of its item, and of how many holders;
// 0 if the lock is for one. It returns false if the value is not that of a lock.
func Holder(value []byte) (token []byte, holders int, ok bool) {
	i, ok := parseItem(value)
	return i.token, i.holders, ok
}

// parseItem returns what an item with a value says, and false if it is not that of a lock.
func parseItem(value []byte) (i item, ok bool) {
	first, rest, ended := bytes.Cut(value, []byte{' '})
	before, token, marked := bytes.Cut(first, []byte{':'})
	if !ended || !marked || len(before) == 0 || before[0] != letter || !protocol.PlainWord(token) {
		return item{}, false
	}
	if i.token = token; len(before) > 1 {
		n, isNumber := protocol.ParseInt(before[min(2, len(before)):])
		if before[1] != '/' || !isNumber || n < 1 || n > mostHolders {
			return item{}, false
		}
		i.holders = int(n)
	}
	for word := range format.Words(rest) {
		if !format.Foreign(word, letter) {
			return item{}, false
		}
		i.foreign++
	}
	return i, true
}
