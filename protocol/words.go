package protocol

import (
	"bytes"
	"iter"
)

// NextWord splits the first word off line: words are separated by spaces, and
// only by spaces, as in memcached. The word is empty at the end of the line.
func NextWord(line []byte) (word, rest []byte) {
	for len(line) > 0 && line[0] == ' ' {
		line = line[1:]
	}
	if i := bytes.IndexByte(line, ' '); i >= 0 {
		return line[:i], line[i+1:]
	}
	return line, nil
}

// CountWords returns how many words line holds.
func CountWords(line []byte) int {
	n := 0
	for range Words(line) {
		n++
	}
	return n
}

// CountPlainWords returns how many words line holds, and whether all of them are plain, see
// [PlainWord], and at most most bytes long. It looks at each byte once, as a line may have half a
// million words.
func CountPlainWords(line []byte, most int) (n int, plain bool) {
	plain = true
	length := 0
	for _, c := range line {
		if c != ' ' {
			length++
			plain = plain && c > ' ' && c != 0x7f
		} else if length > 0 {
			n++
			plain = plain && length <= most
			length = 0
		}
	}
	if length > 0 {
		n++
	}
	return n, plain && length <= most
}

// Words yields the words of line.
func Words(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			word, rest := NextWord(line)
			if len(word) == 0 || !yield(word) {
				return
			}
			line = rest
		}
	}
}

// fields stores the words of line in words and returns how many there are, or
// len(words)+1 if there are more than fit.
func fields(line []byte, words [][]byte) int {
	n, start := 0, 0
	for i := 0; i <= len(line); i++ {
		if i < len(line) && line[i] != ' ' {
			continue
		}
		if i > start {
			if n == len(words) {
				return n + 1
			}
			words[n] = line[start:i]
			n++
		}
		start = i + 1
	}
	return n
}

// CutLastWord splits the last word off line. head is the prefix of line that ends with
// the word before it.
func CutLastWord(line []byte) (head, word []byte) {
	line = bytes.TrimRight(line, " ")
	i := bytes.LastIndexByte(line, ' ')
	return bytes.TrimRight(line[:i+1], " "), line[i+1:]
}

// PlainWord reports whether word can be a key or a member of a verb: 1 to 250
// bytes, none of them white space, a control character or DEL.
func PlainWord(word []byte) bool {
	if len(word) == 0 || len(word) > MaxKey {
		return false
	}
	for _, c := range word {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// MaxKey is the longest key, in bytes, that memcached takes.
const MaxKey = 250
