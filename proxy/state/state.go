// Package state has what the states of clients, connections and executions have in common: each of their transitions
// is a method that returns the state that follows, and changes nothing in states from which it does not lead.
package state

// Next returns next if s is one of the states in from, a bit set, and s otherwise.
func Next[S ~uint8](s, next S, from uint16) S {
	if from>>s&1 != 0 {
		return next
	}
	return s
}
