// Package guess guesses sizes that are known only when it is too late: when what has them has arrived.
package guess

// After returns the guess of the next size, in bytes, after the one before and what has arrived: it goes
// upwards at once and downwards slowly, since a large one after small ones does more harm than the
// reverse. It is at least least.
func After(before, size, least int) int {
	if size < before {
		size = before - (before-size)/8
	}
	return max(size, least)
}
