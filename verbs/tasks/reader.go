package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

// reader reads the parts of a token, one after another. at is the index of the next one in the
// log.
type reader struct {
	text []byte
	at   uint32
	bad  bool // a part was malformed
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
