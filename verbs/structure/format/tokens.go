package format

import (
	"bytes"
	"iter"

	"github.com/memverbs/memverbs/verbs"
)

// Space reports whether c is white space.
func Space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// Words returns the words of a text, which are separated by white space. [bytes.FieldsSeq] would
// not do: it also splits at Unicode's other spaces, which words may contain.
func Words(text []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && Space(byte(r)) })
}

// TrimSpace returns text without the white space at its beginning.
func TrimSpace(text []byte) []byte {
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

// LetterOf returns the letter of the first token of text: 0 if the token begins with its
// sign, if it is no token at all, or if text is empty. A letter alone stands for an
// empty structure of its kind.
func LetterOf(text []byte) byte {
	if len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' && (len(text) == 1 || Space(text[1]) || isSign(text[1])) {
		return text[0]
	}
	return 0
}

// Foreign reports whether token, which has no white space, belongs to a kind with
// another letter.
func Foreign(token []byte, letter byte) bool {
	if len(token) < 2 {
		return false
	}
	if isSign(token[1]) && LetterOf(token) != 0 {
		return token[0] != letter
	}
	return letter != 0 && (token[0] == '+' || token[0] == '-' || token[0] == '~')
}

// isSign reports whether c may follow the letter of a token.
func isSign(c byte) bool {
	switch c {
	case '+', '-', '=', '~', '<', '>', '(', ')', ':':
		return true
	}
	return false
}

// A token may have many parts, such as the increments of a member of a ranking, separated by
// semicolons. Folding it takes memory for each part, so parts count as tokens. If semicolons belong
// to a member's name instead, more tokens are counted than there are.

// CountTokens returns an upper bound of the tokens in log. It counts them only in a
// very long log, where that is worth the time.
func CountTokens(p *verbs.Pace, log []byte) int {
	if len(log) <= 4*p.Freely() {
		return len(log)/len("+m ") + 1
	}
	return CountExactly(p, log)
}

// CountExactly returns the separators in log plus one, an upper bound of its tokens.
func CountExactly(p *verbs.Pace, log []byte) int {
	n := 1
	p.EachByte(len(log), func(from, to int) {
		for _, separator := range separators {
			n += bytes.Count(log[from:to], separator)
		}
	})
	return n
}

var separators = [...][]byte{{' '}, {'\t'}, {'\n'}, {'\v'}, {'\f'}, {'\r'}, {';'}}
