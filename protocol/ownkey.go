package protocol

import (
	"bytes"
	"encoding/base64"
	"slices"
)

// CloneTo makes clone a copy of r that no longer depends on what r was parsed from, but for its Prefix. Its words are appended to
// dst, which is returned.
func (r *Request) CloneTo(clone *Request, dst []byte) []byte {
	*clone = *r
	clone.held = true
	dst = slices.Grow(dst, len(r.Key)+len(r.Encoded)+len(r.Words)+len(r.Data)+len(r.flags))
	for _, part := range [...]*[]byte{&clone.Key, &clone.Encoded, &clone.Words, &clone.Data, &clone.flags} {
		begin := len(dst)
		dst = append(dst, *part...)
		*part = dst[begin:len(dst):len(dst)]
	}
	return dst
}

// ReplaceKey appends to dst what replaces the first n bytes of reply, which begins with a whole line, so that it has key in
// place of sent, the key that r was sent with. It replaces nothing, and n is 0, if the reply has no key.
func (r *Request) ReplaceKey(dst, reply, sent, key []byte) (replaced []byte, n int) {
	if !r.ReturnsKey() {
		return dst, 0
	}
	line := reply[:max(0, bytes.IndexByte(reply, '\n'))]
	at := keyStart(bytes.TrimSuffix(line, []byte("\r")))
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
