package verbtest

import "github.com/memverbs/memverbs/verbs/structure/format"

// Words returns the words of a log, see [format.Words].
func Words(log string) (words []string) {
	for word := range format.Words([]byte(log)) {
		words = append(words, string(word))
	}
	return words
}
