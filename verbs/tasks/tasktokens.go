package tasks

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// letter begins all tokens of queues.
const letter = 't'

// The signs of tokens.
const (
	signPut   = '='
	signState = '('
	signTake  = '>'
	signKeep  = '~'
	signRetry = ')'
	signEnd   = '-'
)

// shortestToken is the length of the shortest token.
const shortestToken = len("t-:i")

const (
	putSize   = verbs.IDSize
	nonceSize = 11 // 64 random bits in base64
)

// longestTake is the length of the longest token that takes a task.
const longestTake = len("t>.4294967295.9007199254740992.9007199254740992. ") + putSize + nonceSize

// putOverhead is how many bytes the token of a put has besides the task's id.
const putOverhead = len("t=1234567890123:0123456789abcdef: ")

// longestPut is the length of the longest token that puts a task, but for the task's id, and attempted is by how much it is
// longer for one that has been attempted.
const (
	longestPut = len("t=9007199254740992:: ") + putSize
	attempted  = len(".4294967295.9007199254740992.") + nonceSize
)

// longestDrop is the length of the token that drops a task.
const longestDrop = len("t- ") + putSize

// latest is the latest time that a token may have, in milliseconds since 1970.
const latest = 1 << 53

// mostAttempts is how often a task can be taken. Only tokens that somebody else has written reach
// it.
const mostAttempts = math.MaxUint32

// newNonce returns a random text that identifies one attempt to take a task.
func newNonce(env verbs.Env) (nonce [nonceSize]byte) {
	var random [8]byte
	binary.LittleEndian.PutUint64(random[:], env.Random())
	base64.RawURLEncoding.Encode(nonce[:], random[:])
	return nonce
}

// appendPut appends the token that puts a task.
func appendPut(dst []byte, when int64, put, id []byte) []byte {
	dst = strconv.AppendInt(append(dst, letter, signPut), when, 10)
	dst = append(append(append(dst, ':'), put...), ':')
	return append(append(dst, id...), ' ')
}

// appendTake appends the token that takes a task as attempt n, from a time until another.
func appendTake(dst, put []byte, n uint32, from, until int64, nonce []byte) []byte {
	dst = appendStamp(append(dst, letter, signTake), put, n)
	dst = strconv.AppendInt(append(dst, '.'), from, 10)
	dst = strconv.AppendInt(append(dst, '.'), until, 10)
	return append(append(append(dst, '.'), nonce...), ' ')
}

// appendChange appends the token with which attempt n prolongs its hold until a time, or gives the
// task back.
func appendChange(dst []byte, sign byte, put []byte, n uint32, time int64) []byte {
	dst = appendStamp(append(dst, letter, sign), put, n)
	return append(strconv.AppendInt(append(dst, '.'), time, 10), ' ')
}

// appendEnd appends the token with which attempt n ends a task.
func appendEnd(dst, put []byte, n uint32) []byte {
	return append(appendStamp(append(dst, letter, signEnd), put, n), ' ')
}

// appendDrop appends the token that drops a task.
func appendDrop(dst, put []byte) []byte {
	return append(append(append(dst, letter, signEnd), put...), ' ')
}

// appendDropID appends the token that drops the task with an id.
func appendDropID(dst, id []byte) []byte {
	return append(append(append(dst, letter, signEnd, ':'), id...), ' ')
}

// appendStamp appends a stamp: which attempt at which task.
func appendStamp(dst, put []byte, n uint32) []byte {
	return strconv.AppendUint(append(append(dst, put...), '.'), uint64(n), 10)
}
