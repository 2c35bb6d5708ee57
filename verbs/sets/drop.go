package sets

// Who keeps a set as an index drops members of it that stand for nothing any more, when its log is about to be written
// anew. A token that has added such a member becomes one that removes it: that takes no memory, and what is written comes
// to the same as if the removal had been appended and all folded once more.

// Next returns the index of the first token from index i on that has added a member of the set, and that member; the
// number of tokens if there is none.
func (s *Set) Next(i int) (at int, member []byte) {
	for ; i < len(s.tokens); i++ {
		if t := &s.tokens[i]; s.lives(t) {
			return i, t.member(s.log)
		}
	}
	return i, nil
}

// Drop drops the member that the token at index i has added. It changes the log, which nobody else may use.
func (s *Set) Drop(i int) {
	t := &s.tokens[i]
	s.uncount(t)
	s.log[t.from-1] = '-'
	t.hash = t.hash&^timed | dead
}
