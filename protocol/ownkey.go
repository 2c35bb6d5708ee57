package protocol

import (
	"bytes"
	"encoding/base64"
	"slices"
)

// Clone returns a copy of r that no longer depends on what it was parsed from.
func (r *Request) Clone() *Request {
	c := *r
	c.Key, c.Encoded, c.Prefix, c.Words = bytes.Clone(r.Key), bytes.Clone(r.Encoded), bytes.Clone(r.Prefix), bytes.Clone(r.Words)
	c.Data, c.flags, c.held = slices.Clone(r.Data), bytes.Clone(r.flags), true
	return &c
}

// ReplaceKey appends to dst what replaces the first n bytes of reply, which begins with a whole line, so that it has key in
// place of sent, the key that r was sent with. It replaces nothing, and n is 0, if the reply has no key.
func (r *Request) ReplaceKey(dst, reply, sent, key []byte) (replaced []byte, n int) {
	if !r.ReturnsKey() {
		return dst, 0
	}
	at := 0
	switch line := reply[:max(0, bytes.IndexByte(reply, '\n'))]; {
	case bytes.HasPrefix(line, []byte("VALUE ")) || bytes.HasPrefix(line, []byte("ME ")):
		at = bytes.IndexByte(line, ' ') + 1
	case len(line) >= len("HD") && !bytes.HasPrefix(line, []byte("END")):
		at = keyFlag(bytes.TrimSuffix(line, []byte("\r")))
	}
	if at == 0 {
		return dst, 0
	}
	dst = append(dst, reply[:at]...)
	if bytes.HasPrefix(reply[at:], sent) {
		return append(dst, key...), at + len(sent)
	}
	base := base64.StdEncoding.EncodeToString(sent)
	if !bytes.HasPrefix(reply[at:], []byte(base)) {
		return dst[:len(dst)-at], 0
	}
	return base64.StdEncoding.AppendEncode(dst, key), at + len(base)
}
