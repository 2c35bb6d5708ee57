package structure

import (
	"bytes"
	"iter"
)

// Space reports whether c is white space.
func Space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// Words returns the words of a text, which white space separates. [bytes.FieldsSeq] would not do:
// it takes the spaces of other scripts, which words may hold, for ends.
func Words(text []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && Space(byte(r)) })
}

func trimSpace(text []byte) []byte {
	for len(text) > 0 && Space(text[0]) {
		text = text[1:]
	}
	return text
}

// digits splits text after its leading digits.
func digits(text []byte) (leading, rest []byte) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}
