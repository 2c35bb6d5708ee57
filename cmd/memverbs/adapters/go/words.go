package memverbs

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// Word makes one word of any text but the empty one: memcached's keys have no spaces, and the parts of a verb's key no slashes.
func Word(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// Text returns the text of which [Word] has made a word.
func Text(word string) (string, error) { return url.PathUnescape(word) }

// Record is one of several items that came in one value.
type Record struct {
	Words []string // of its line
	Data  []byte
}

// Records reads the items of which a value consists: of each a line, whose third word is the size of the data that follows.
func Records(value []byte) ([]Record, error) {
	var found []Record
	for len(value) > 0 {
		line, rest, _ := bytes.Cut(value, []byte("\n"))
		words := strings.Split(string(line), " ")
		if len(words) < 3 {
			return nil, fmt.Errorf("a record begins with %q", line)
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size < 0 || size >= len(rest) {
			return nil, fmt.Errorf("a record of %q bytes is cut off", words[2])
		}
		found = append(found, Record{words, rest[:size]})
		value = rest[size+1:]
	}
	return found, nil
}

// wordsOf makes the value of a change of several members.
func wordsOf(members []string) string {
	words := make([]string, len(members))
	for i, member := range members {
		words[i] = Word(member)
	}
	return strings.Join(words, " ")
}

// textsOf reads a value of several members.
func textsOf(value []byte) ([]string, error) {
	var texts []string
	for word := range strings.FieldsSeq(string(value)) {
		text, err := Text(word)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// isName tells whether a structure can have a name: one with a slash might be taken for something else.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c == '/' || unicode.IsSpace(c) })
}
