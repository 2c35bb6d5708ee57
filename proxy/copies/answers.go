package copies

import (
	"github.com/memverbs/memverbs/protocol"
)

// CASOf returns the CAS in the answer to a request that marks an item; 0 if there is none, because there was an item.
func CASOf(line []byte) uint64 {
	code, rest := protocol.NextWord(line)
	if word, _ := protocol.NextWord(rest); string(code) == "HD" && len(word) > 1 && word[0] == 'c' {
		cas, _ := protocol.ParseUint(word[1:])
		return cas
	}
	return 0
}

// IsWorth reports whether a fill stores an item, given the answer to the request [ToRead]. It stores no number, as an incr or
// decr that comes meanwhile would be told that the mark is none, and nothing that expires within the second.
func IsWorth(item *protocol.Reply) bool {
	_, number := protocol.ParseUint(item.Data)
	_, lives := flagsAndLife(item.Line)
	return !number && lives >= 0 && !IsMark(item.Data)
}

// flagsAndLife returns the flags in such an answer, and for how many seconds the item lives: 0 for ever, less if it does not any more.
func flagsAndLife(line []byte) (flags []byte, lives int64) {
	for word := range protocol.Words(line) {
		switch word[0] {
		case 'f':
			flags = word[1:]
		case 't':
			lives = lifeOf(word[1:])
		}
	}
	return flags, lives
}

// lifeOf returns for how many seconds a fill lets an item live that lives for as many as text says. It takes no longer, though some time
// passes in between, and memcached takes more than thirty days for a date.
func lifeOf(text []byte) int64 {
	const mostLives = 30 * 24 * 60 * 60
	switch lives, _ := protocol.ParseInt(text); {
	case lives < 0:
		return 0
	case lives <= 1:
		return -1
	default:
		return min(lives-1, mostLives)
	}
}
