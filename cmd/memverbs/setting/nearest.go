package setting

import (
	"fmt"

	"github.com/agnivade/levenshtein"
)

// Suggest returns the end of an error about an unknown word: the known word that may be meant, or
// all known words if they are few.
func Suggest(word string, known []string) string {
	const few = 12
	if best := Nearest(word, known); best != "" {
		return fmt.Sprintf("; is %q meant?", best)
	}
	if len(known) <= few {
		return fmt.Sprintf(": expected one of %q", known)
	}
	return ": see the keys in the documentation"
}

// Nearest returns the known word that may be meant by an unknown one, empty if there is none.
func Nearest(word string, known []string) (best string) {
	distance := min(3, max(1, len(word)/2)) + 1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}
