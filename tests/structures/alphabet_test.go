package structures

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// names are the members, elements and fields that there may be: few, so that each is added
// and removed over and over, and the checker has few states to tell apart.
var names = strings.Split("abcdef", "")

// longestWord is how long a word may be, in bytes.
const longestWord = 250

// alphabet has the words that each of the names stands for on the wire: one short or
// long word, or dozens that are always used together. So a structure takes anything
// from a few bytes to several times as much as an item may have.
type alphabet map[string][]string

// newAlphabet makes up an alphabet of words up to so many bytes. Each name stands for at most
// as many words as one of most.
func newAlphabet(random *rand.Rand, longest int, most ...int) alphabet {
	a := alphabet{}
	for _, name := range names {
		for i := range 1 + random.IntN(oneOf(random, most...)) {
			word := fmt.Sprintf("%s%d", name, i)
			a[name] = append(a[name], word+strings.Repeat(".", random.IntN(longest-len(word)+1)))
		}
	}
	return a
}

// String tells how many words and bytes each name stands for.
func (a alphabet) String() string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s: %d of %d bytes", name, len(a[name]), len(strings.Join(a[name], ""))))
	}
	return strings.Join(list, ", ")
}

// line returns a command in which names are written out, and other words as they are.
func (a alphabet) line(verb, key string, words []string) string {
	line := []string{verb, key}
	for _, word := range words {
		if all, ok := a[word]; ok {
			line = append(line, all...)
		} else {
			line = append(line, word)
		}
	}
	return strings.Join(line, " ") + "\r\n"
}

// names returns the letters that words stand for. It returns false if they stand for none.
func (a alphabet) names(words []string) (found string, ok bool) {
	for len(words) > 0 {
		name := words[0][:1]
		n := len(a[name])
		if n == 0 || len(words) < n || !slices.Equal(words[:n], a[name]) {
			return "", false
		}
		words = words[n:]
		found += name
	}
	return found, true
}
