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

	pace *pace // nil to do all at once
}

var atOnce pace

// paced returns the pace at which the set is worked on.
func (s *Set) paced() *pace {
	if s.pace == nil {
		return &atOnce
	}
	return s.pace
}

// Read folds log, of less than 4 GB. It reports whether log is the log of a set
// at all; if not, the set is empty.
func (s *Set) Read(log []byte) bool {
	s.trim(max(keptScratch, 2*foldRoom(len(log)/typicalToken)))
	cut := splitter{log: log, tokens: s.tokens[:cap(s.tokens)]}
	pace := s.paced()
	pace.eachByte(len(log), cut.blocks)
	tokens := cut.end()
	s.tokens = tokens[:0]
	sound := true
	pace.each(len(tokens), func(from, to int) { sound = sound && hashTokens(log, tokens[from:to]) })
	if !sound {
		return false
	}
	s.log, s.tokens = log, tokens
	s.clearTable()
	pace.each(len(tokens), s.fold)
	pace.each(len(tokens), s.count)
	return true
}

// expect makes room for the tokens of the log that is read next.
func (s *Set) expect(tokens int) {
	s.trim(max(keptScratch, 2*foldRoom(tokens)))
	if cap(s.tokens) < tokens+block {
		s.paced().provide(tokens*tokenSize, func() { s.tokens = fresh[token](tokens + block)[:0] })
	}
}

// Scratch is memory for folding large logs. To get it from the system again and again
// takes longer than to fold.
type Scratch struct {
	tokens []token
	table  []uint32
	log    []byte
}

// Size returns how many bytes of memory s is.
func (s *Scratch) Size() int { return cap(s.tokens)*tokenSize + cap(s.table)*4 + cap(s.log) }

// takeScratch takes what was kept for large folds.
func (c *Call) takeScratch() {
	if c.scratch.Size() == 0 {
		c.scratch = c.env.TakeScratch()
	}
}

// giveAway returns the memory of the set, which is empty then.
func (s *Set) giveAway() (tokens []token, table []uint32) {
	tokens, table = s.tokens[:0], s.table[:0]
	*s = Set{pace: s.pace}
	return tokens, table
}

// adopt has the set use memory, if that is no more than most bytes.
func (s *Set) adopt(tokens []token, table []uint32, most int) {
	if size := cap(tokens)*tokenSize + cap(table)*4; size <= most && size > s.kept() {
		*s = Set{pace: s.pace, tokens: tokens, table: table}
	}
}

// foldRoom returns how much memory it takes at most to fold so many tokens, in
// bytes.
func foldRoom(tokens int) int { return (tokens+block)*tokenSize + 4*tableSize(tokens) }

// trim makes the set empty, and lets go of the log, and of the memory of the
// fold if that is more than keep bytes.
func (s *Set) trim(keep int) {
	if s.kept() > keep {
		*s = Set{pace: s.pace}
	}
	*s = Set{tokens: s.tokens[:0], table: s.table[:0], pace: s.pace}
}

// kept returns how much memory the next fold can use, in bytes.
func (s *Set) kept() int { return cap(s.tokens)*tokenSize + cap(s.table)*4 }

// count counts the members that some of the tokens name.
func (s *Set) count(from, to int) {
	live, length := 0, 0
	tokens := s.tokens[from:to]
	for i := range tokens {
		t := &tokens[i]
		n := 1 - int(t.hash&dead)
		live += n
		length += n * int(t.to-t.from)
	}
	s.live, s.length = s.live+live, s.length+length
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
