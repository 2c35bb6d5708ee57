// Package guess guesses the sizes of values, which are known only when they have arrived: too late to
// limit how many are requested.
package guess

// After returns the guess of the next size, in bytes, from the previous guess, before, and the size that
// has arrived. It goes up at once and down slowly, since a value larger than guessed does more harm than
// a smaller one. It is never below least.
func After(before, size, least int) int {
	if size < before {
		size = before - (before-size)/8
	}
	return max(size, least)
}
