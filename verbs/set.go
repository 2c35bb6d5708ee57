package verbs

// Set is the fold of a set's log: who is a member after all tokens have been
// read in their order. It keeps no copy of the log and points into it. The
// zero value is an empty set, and one Set can read one log after another.
//
// A log is cut into tokens (tokens.go), their members are hashed (hash.go), and
// the tokens that name the same member are brought together (fold.go). Each step
// is taken for all tokens before the next one, so that the processor can take it
// for several at a time. A token takes 12 bytes, and at most 16 in the table.
type Set struct {
	log    []byte
	tokens []token
	live   int // so many of them: one for each member
	length int // of the members, in bytes

	table []uint32 // see fold.go
	index uint32   // the bits of a slot of the table that are an index
}

// Read folds log, of less than 4 GB. It reports whether log is the log of a set
// at all; if not, the set is empty.
func (s *Set) Read(log []byte) bool {
	s.trim(keptScratch)
	tokens := split(log, s.tokens)
	s.tokens = tokens[:0]
	if !hashTokens(log, tokens) {
		return false
	}
	s.log, s.tokens = log, tokens
	s.clearTable()
	s.fold()
	s.count()
	return true
}

// trim makes the set empty, and lets go of the log, and of the memory of the
// fold if that is more than keep bytes.
func (s *Set) trim(keep int) {
	if s.kept() > keep {
		*s = Set{}
	}
	*s = Set{tokens: s.tokens[:0], table: s.table[:0]}
}

// kept returns how much memory the next fold can use, in bytes.
func (s *Set) kept() int { return cap(s.tokens)*tokenSize + cap(s.table)*4 }

// count counts the members.
func (s *Set) count() {
	live, length := 0, 0
	for i := range s.tokens {
		t := &s.tokens[i]
		n := 1 - int(t.hash&dead)
		live += n
		length += n * int(t.to-t.from)
	}
	s.live, s.length = live, length
}

// Has reports whether member is in the set.
func (s *Set) Has(member []byte) bool {
	if len(s.table) == 0 {
		return false
	}
	slot := *s.find(hash(member), member)
	return slot != 0 && s.tokens[slot&s.index-1].hash&dead == 0
}

// Live returns the number of members.
func (s *Set) Live() int { return s.live }

// Dead returns the number of tokens that the log could do without.
func (s *Set) Dead() int { return len(s.tokens) - s.live }

// Length returns how many bytes AppendMembers appends.
func (s *Set) Length() int { return s.length + max(s.live-1, 0) }
