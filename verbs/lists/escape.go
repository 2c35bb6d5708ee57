package lists

import "bytes"

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

var escapes = []byte{escape}

// appendUnescaped appends to dst the data that text stands for. It takes any text, so that nobody has to check it: an escape
// that no other byte follows, which appendEscaped never writes, stands for nothing.
func appendUnescaped(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	flip := byte(0)
	for _, c := range text {
		if c == escape {
			flip = flipped
			continue
		}
		dst[n] = c ^ flip
		n++
		flip = 0
	}
	return dst[:n]
}

// unescapedSize returns the length of the data that text stands for, in bytes.
func unescapedSize(text []byte) int { return len(text) - bytes.Count(text, escapes) }
