package lists

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// element is an element as its token has it: a word, or, if it has data, <id>.<flags>.<data>, the data escaped.
type element struct {
	text []byte
	data bool
}

// idSize is the length of the id of an element with data, in bytes. Removals name the element by it, so that they need
// not repeat its data. It is 72 random bits in URL-safe base64. If two of the ids in a list were equal, the removal of one
// element would remove both: of a million elements, that happens in one of nine billion lists.
const idSize = 12

// element returns the element that t is about.
func (t *token) element(log []byte) element {
	return element{t.value(log), t.hash&ofData != 0}
}

// name returns by what removals name the element of t: the word, or the id.
func (t *token) name(log []byte) []byte {
	if t.hash&ofData != 0 {
		return log[t.from : t.from+idSize]
	}
	return log[t.from:t.to]
}

// appendID appends a new id to dst.
func appendID(dst []byte, env verbs.Env) []byte {
	var random [idSize / 4 * 3]byte
	binary.LittleEndian.PutUint64(random[:], env.Random())
	random[8] = byte(env.Random())
	return base64.RawURLEncoding.AppendEncode(dst, random[:])
}

// appendData appends a token that adds an element with data at the end that sign says.
func appendData(dst []byte, sign byte, env verbs.Env, flags uint32, data []byte) []byte {
	dst = append(appendID(append(dst, letter, signData, sign), env), '.')
	dst = append(strconv.AppendUint(dst, uint64(flags), 10), '.')
	return append(appendEscaped(dst, data), ' ')
}

// dataSize returns the greatest length of that token for so many bytes of data.
func dataSize(data int) int { return len("l+>.4294967295. ") + idSize + 2*data }

// isData reports whether text can be that of an element with data.
func isData(text []byte) bool {
	if len(text) <= idSize || text[idSize] != '.' {
		return false
	}
	flags, _, found := bytes.Cut(text[idSize+1:], []byte{'.'})
	n, ok := protocol.ParseUint(flags)
	return found && ok && n <= math.MaxUint32
}

// content returns the flags and the escaped data of an element; of a word, which has no flags, the word.
func (e element) content() (flags uint32, text []byte) {
	if !e.data {
		return 0, e.text
	}
	digits, text, _ := bytes.Cut(e.text[idSize+1:], []byte{'.'})
	n, _ := protocol.ParseUint(digits)
	return uint32(n), text
}

// size returns the length of the element's word or data, in bytes.
func (e element) size() int {
	_, text := e.content()
	if !e.data {
		return len(text)
	}
	return unescapedSize(text)
}

// appendElement appends a token to dst that adds e, or that is about it in another way, as sign says.
func appendElement(dst []byte, sign byte, e element) []byte {
	if !e.data {
		return appendToken(dst, sign, e.text)
	}
	return append(append(append(dst, letter, signData, sign), e.text...), ' ')
}

// removalSize returns the length of the token that appendRemoval appends, in bytes.
func removalSize(e element) int {
	if e.data {
		return len("l+- ") + idSize
	}
	return len("l( ") + len(e.text)
}

// appendRemoval appends a token to dst that removes e from the end that sign says. If e has data, the token names it.
func appendRemoval(dst []byte, sign byte, e element) []byte {
	if e.data {
		e.text, sign = e.text[:idSize], removeAll
	}
	return appendElement(dst, sign, e)
}
