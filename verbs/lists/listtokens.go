package lists

import "hash/maphash"

// letter begins all tokens of lists.
const letter = 'l'

// The signs of tokens.
const (
	pushRight   = '>'
	pushLeft    = '<'
	removeAll   = '-'
	removeFirst = '('
	removeLast  = ')'

	signOrder   = '~' // see orders.go
	signRemoved = '='
	signValue   = ':'

	// signData precedes another sign in a token about an element with data. Versions that have only words refuse a
	// list with it as a whole.
	signData = '+'
)

// token is a token of a log.
type token struct {
	hash     uint32 // of the value, or of the id if it is about an element with data; the lowest bits are the flags dead and ofData
	from, to uint32 // the value is log[from:to], the sign is before it
	next     uint32 // of a live element: the next one with the same value, see index.go; of one that an order removed: the next removed one
	previous uint32
}

const tokenSize = 20 // in bytes

// dead is set in the hash of a token that is no element: it is a removal, or the element
// was removed.
const dead = 1

// ofData is set in the hash of a token about an element with data. So no word is taken for an id.
const ofData = 2

// hashShift is by how many bits the flags shift a hash.
const hashShift = 2

func (t *token) value(log []byte) []byte { return log[t.from:t.to] }

func (t *token) sign(log []byte) byte { return log[t.from-1] }

// ofValue reports whether the token is about a value that elements have.
func (t *token) ofValue(log []byte) bool {
	switch t.sign(log) {
	case signOrder, signRemoved, signValue:
		return false
	}
	return true
}

func (t *token) live() bool { return t.hash&dead == 0 }

// appendToken appends a token about a word to dst.
func appendToken(dst []byte, sign byte, value []byte) []byte {
	return append(append(append(dst, letter, sign), value...), ' ')
}

// tokensSize returns the greatest length of the tokens for words, in bytes: a value has at least
// one byte, and its token adds a letter, a sign and a space.
func tokensSize(words, _ []byte) int { return 2*len(words) + len("l>v ") }

// seed is random for every process, so that nobody can construct values that collide.
var seed = maphash.MakeSeed()

// hash returns the hash of a value, without flags.
func hash(value []byte) uint32 { return uint32(maphash.Bytes(seed, value)) &^ (dead | ofData) }
