package lists

import (
	"bytes"
	"encoding/binary"
)

// Data of an element stands in the log as one word without control characters, whatever bytes it has: raw, white space
// would end the token, and " +x " in data that is appended to a set by mistake would be a member. So a byte that could
// do that is written as an escape and the byte with its bit 0x40 flipped: a space is "~`", a line feed "~J". The escape
// itself is "~>". Semicolons are escaped too, since each counts as a token where memory is reserved, see
// [format.CountTokens].

const (
	escape  = '~'
	flipped = 0x40
)

// escaped has a 1 for each byte that is escaped.
var escaped = func() (table [256]uint8) {
	for c := range ' ' + 1 {
		table[c] = 1
	}
	table[escape], table[';'], table[0x7f] = 1, 1, 1
	return table
}()

// appendEscaped appends data to dst, escaped. It becomes at most twice as long.
func appendEscaped(dst, data []byte) []byte {
	n := len(dst)
	dst = append(append(dst, data...), data...)
	for _, c := range data { // without a branch, as what is escaped in a text can't be predicted
		flip := escaped[c]
		dst[n] = escape
		n += int(flip)
		dst[n] = c ^ flip*flipped
		n++
	}
	return dst[:n]
}

// isEscaped reports whether text may be data that was escaped: after each escape comes another byte that is none.
func isEscaped(text []byte) bool {
	after := uint64(0) // has the highest bit set if the byte before is an escape
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		x := binary.LittleEndian.Uint64(text[at:]) ^ escape*each
		here := ^(x&^(0x80*each) + 0x7f*each | x) & (0x80 * each) // the highest bit of each byte that is an escape
		if here&(here<<8|after>>56) != 0 {
			return false
		}
		after = here
	}
	last := after>>63 != 0
	for _, c := range text[at:] {
		if last && c == escape {
			return false
		}
		last = c == escape
	}
	return !last
}

var escapes = []byte{escape}

// appendUnescaped appends to dst the data that text, which isEscaped, stands for.
func appendUnescaped(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == escape {
			i++
			c = text[i] ^ flipped
		}
		dst[n] = c
		n++
	}
	return dst[:n]
}

// unescapedSize returns the length of the data that text, which isEscaped, stands for, in bytes.
func unescapedSize(text []byte) int { return len(text) - bytes.Count(text, escapes) }
