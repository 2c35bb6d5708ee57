package protocol

import (
	"bytes"
	"encoding/base64"
)

// ReturnsKey reports whether the reply to r may have the key.
func (r *Request) ReturnsKey() bool {
	return r.Command.Retrieval() || r.Command == MetaDebug || r.Command.Meta() && r.HasFlag('k')
}

// RestoreKey puts prefix in front of the key in the reply to a retrieval, or to a meta command:
// it appends to dst what replaces the first n bytes of reply, which begins with a whole line. sent
// is the key that the request was sent with, decoded if it was in base64. It may be nil if the key
// was not in base64 and the command is not me, because then the key can be found in the reply
// without it.
func RestoreKey(dst, reply, prefix, sent []byte) (replaced []byte, n int) {
	line := reply[:max(0, bytes.IndexByte(reply, '\n'))]
	line = bytes.TrimSuffix(line, []byte("\r"))
	if n = keyStart(line); n == 0 { // an error, or no key
		return dst, 0
	}
	dst = append(dst, line[:n]...)
	base, ok := inBase64(line[n:], sent)
	if !ok {
		return append(dst, prefix...), n
	}
	var room [2 * MaxKey]byte
	key, err := base64.StdEncoding.AppendDecode(append(room[:0], prefix...), base)
	if err != nil { // Check.Fits accepts no such reply
		return append(dst, prefix...), n
	}
	return base64.StdEncoding.AppendEncode(dst, key), n + len(base)
}

// keyStart returns the index at which the key begins in the first line of a reply, 0 if it has none.
func keyStart(line []byte) int {
	switch code, _ := NextWord(line); {
	case string(code) == "VALUE", string(code) == "ME":
		return len(code) + 1
	case len(code) == len("HD"):
		if i := bytes.Index(line, []byte(" k")); i >= 0 {
			return i + len(" k")
		}
	}
	return 0
}

// inBase64 returns the key at the start of rest, and whether it is in base64: see [cutKey].
func inBase64(rest, sent []byte) (base []byte, ok bool) {
	base, after := NextWord(rest)
	if sent != nil {
		_, plain := cutWord(rest, sent)
		return base, !plain
	}
	flag, _ := NextWord(after)
	return base, string(flag) == "b"
}
