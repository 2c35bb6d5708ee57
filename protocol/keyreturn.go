package protocol

import (
	"bytes"
	"encoding/base64"
)

// KeyReturn says where to insert the key into the reply to a meta get: after how many
// words that other flags returned, for a hit and for a miss.
type KeyReturn struct{ AfterHit, AfterMiss int }

// AppendTo appends to dst the reply answer, line and data, with the key in base64
// inserted. An error is appended unchanged.
func (r *KeyReturn) AppendTo(dst, answer, key []byte) []byte {
	end := max(0, bytes.IndexByte(answer, '\r'))
	line, words := answer[:end], 1
	switch code, _ := NextWord(line); string(code) {
	case "VA": // followed by the length
		words = 2 + r.AfterHit
	case "HD":
		words = 1 + r.AfterHit
	case "EN":
		words = 1 + r.AfterMiss
	default: // an error
		return append(dst, answer...)
	}
	at := 0
	for range words {
		_, rest := NextWord(line[at:])
		if at = len(line) - len(rest); rest == nil {
			at = len(line)
			break
		}
		at-- // the space, which NextWord took
	}
	dst = append(append(dst, answer[:at]...), " k"...)
	dst = base64.StdEncoding.AppendEncode(dst, key)
	return append(append(dst, " b"...), answer[at:]...)
}
