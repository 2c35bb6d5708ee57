package tasks

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
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

// longestDrop is the length of the token that drops a task.
const longestDrop = len("t- ") + putSize

// latest is the latest time that a token may have, in milliseconds since 1970.
const latest = 1 << 53

// newNonce returns what tells one try to take a task from all others.
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

// appendTask appends the token that puts t with an id, as it is.
func appendTask(dst []byte, t *task, log, id []byte) []byte {
	if t.attempts == 0 {
		return appendPut(dst, t.when, t.put(log), id)
	}
	dst = strconv.AppendInt(append(dst, letter, signState), t.when, 10)
	dst = strconv.AppendUint(append(dst, '.'), uint64(t.attempts), 10)
	dst = strconv.AppendInt(append(dst, '.'), t.until, 10)
	dst = append(append(dst, '.'), t.nonce(log)...)
	dst = append(append(append(dst, ':'), t.put(log)...), ':')
	return append(append(dst, id...), ' ')
}

// appendTake appends the token that takes a task as attempt n, from a time until another.
func appendTake(dst, put []byte, n uint32, from, until int64, nonce []byte) []byte {
	dst = appendStamp(append(dst, letter, signTake), put, n)
	dst = strconv.AppendInt(append(dst, '.'), from, 10)
	dst = strconv.AppendInt(append(dst, '.'), until, 10)
	return append(append(append(dst, '.'), nonce...), ' ')
}

// appendChange appends the token with which attempt n holds a task on until a time, or puts it
// off.
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

// parseStamp parses a stamp. It returns false if that is none.
func parseStamp(text []byte) (put []byte, n uint32, ok bool) {
	r := reader{text: text}
	if r.put(); r.bad {
		return nil, 0, false
	}
	r.skip('.')
	n = r.attempt(0)
	return text[:putSize], n, !r.bad
}

// reader reads the parts of a token, one after another. at is the index of the next one in the
// log.
type reader struct {
	text []byte
	at   uint32
	bad  bool // some part was not what it has to be
}

// advance skips n bytes and returns their index.
func (r *reader) advance(n int) (at uint32) {
	at = r.at
	r.text, r.at = r.text[n:], r.at+uint32(n)
	return at
}

// skip skips the byte c.
func (r *reader) skip(c byte) {
	if len(r.text) == 0 || r.text[0] != c {
		r.bad = true
		return
	}
	r.advance(1)
}

// until returns the text before the byte end, which is skipped; all the text if end is 0.
func (r *reader) until(end byte) []byte {
	n := len(r.text)
	if end != 0 {
		n = bytes.IndexByte(r.text, end)
	}
	if n < 0 {
		r.bad = true
		return nil
	}
	text := r.text[:n]
	r.advance(min(n+1, len(r.text)))
	return text
}

// time returns a time, which is followed by the byte end.
func (r *reader) time(end byte) int64 {
	n, ok := protocol.ParseUint(r.until(end))
	if !ok || n > latest {
		r.bad = true
	}
	return int64(n)
}

// attempt returns the number of an attempt, which is followed by the byte end.
func (r *reader) attempt(end byte) uint32 {
	n, ok := protocol.ParseUint(r.until(end))
	if !ok || n == 0 || n > mostAttempts {
		r.bad = true
	}
	return uint32(n)
}

// put returns the index of the name of a put.
func (r *reader) put() uint32 { return r.base64(putSize) }

// nonce returns the index of a nonce.
func (r *reader) nonce() uint32 { return r.base64(nonceSize) }

// base64 returns the index of n characters of URL-safe base64. Others could break the lines of
// requests.
func (r *reader) base64(n int) uint32 {
	if len(r.text) < n {
		r.bad = true
		return 0
	}
	for _, c := range r.text[:n] {
		if (c < '0' || c > '9') && (c|' ' < 'a' || c|' ' > 'z') && c != '-' && c != '_' {
			r.bad = true
		}
	}
	return r.advance(n)
}

// some applies the tokens of the log from index from to index to, after what is before. A
// token that does not end there is left for later.
func (q *Queue) some(from, to int) {
	for i := from; i < to; i++ {
		if c := q.log[i]; c <= ' ' && structure.Space(c) {
			q.word(i)
		}
	}
}

// word applies the token that ends at index end.
func (q *Queue) word(end int) {
	word := q.log[q.start:end]
	at := q.start
	q.start = end + 1
	if len(word) == 0 || q.bad {
		return
	}
	q.tokens++
	switch {
	case len(word) == 1 && word[0] == letter:
	case structure.Foreign(word, letter):
		q.foreign++
	case len(word) < shortestToken, word[0] != letter, !q.apply(word[1], reader{text: word[2:], at: uint32(at + 2)}):
		q.bad = true
	}
}

// apply applies a token, given its sign and a reader of the rest. It returns false if that is
// no token.
func (q *Queue) apply(sign byte, r reader) bool {
	switch sign {
	case signPut, signState:
		return q.applyPut(sign, &r)
	case signTake:
		return q.applyTake(&r)
	case signKeep, signRetry:
		at := r.put()
		r.skip('.')
		n := r.attempt('.')
		time := r.time(0)
		if !r.bad {
			q.putOff(q.taskOf(at), n, sign == signKeep, time)
		}
	case signEnd:
		return q.applyEnd(&r)
	default:
		return false
	}
	return !r.bad
}

func (q *Queue) applyPut(sign byte, r *reader) bool {
	var t task
	if sign == signPut {
		t.when = r.time(':')
	} else {
		t.when, t.attempts, t.until = r.time('.'), r.attempt('.'), r.time('.')
		t.nonceAt = r.nonce()
		r.skip(':')
	}
	t.putAt = r.put()
	r.skip(':')
	if r.bad || len(r.text) == 0 {
		return false
	}
	q.put(&t, r.at, r.at+uint32(len(r.text)))
	return true
}

func (q *Queue) applyTake(r *reader) bool {
	at := r.put()
	r.skip('.')
	n, from, until := r.attempt('.'), r.time('.'), r.time('.')
	nonce := r.nonce()
	if r.bad || len(r.text) > 0 {
		return false
	}
	q.take(q.taskOf(at), n, from, until, nonce)
	return true
}

func (q *Queue) applyEnd(r *reader) bool {
	if r.text[0] == ':' {
		r.skip(':')
		q.dropID(r.at, r.at+uint32(len(r.text)))
		return true
	}
	at := r.put()
	if !r.bad && len(r.text) == 0 {
		q.drop(q.taskOf(at))
		return true
	}
	r.skip('.')
	n := r.attempt(0)
	if !r.bad {
		q.end(q.taskOf(at), n)
	}
	return !r.bad
}
