package verbtest

import (
	"github.com/memverbs/memverbs/verbs/structure/format"
	"slices"
)

// Words returns the words of a log, see [format.Words].
func Words(log string) (words []string) {
	for _, word := range slices.Collect(format.Words([]byte(log))) {
		words = append(words, string(word))
	}
	return words
}
