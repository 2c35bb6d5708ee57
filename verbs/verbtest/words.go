package verbtest

import (
	"slices"

	"github.com/memverbs/memverbs/verbs/structure"
)

// Words returns the words of a log, see [structure.Words].
func Words(log string) (words []string) {
	for _, word := range slices.Collect(structure.Words([]byte(log))) {
		words = append(words, string(word))
	}
	return words
}
