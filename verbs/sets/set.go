package sets

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Set is the fold of a set's log: the members after all tokens in order. It points into
// the log and keeps no copy of it. The zero value is an empty set, and a Set can be
// reused for one log after another.
//
// Reading a log takes three steps: split it into tokens (splitter.go), hash their members
// (hash.go), and find the tokens that name the same member (fold.go). Each step is done
// for all tokens before the next, so that the processor can overlap the work on
// several. A token takes 12 bytes, and at most 16 more in the table.
//
// Members that were added until a time cost the others nothing, see until.go.
type Set struct {
	log    []byte
	tokens []token
	live   int // number of tokens that are not dead, one for each member
	length int // total length of the members, in bytes

	table []uint32 // see fold.go
	index uint32   // mask of the bits of a slot that are an index

	foreign int // tokens of other kinds that were ignored

	untils untils // see until.go
}

// Kind is the kind of structure that a [Set] is the fold of.
var Kind = format.Kind{Name: "set", New: func() format.Fold { return &Set{} }, Memory: foldMemory, Ends: true, Complete: true}

// Read implements [format.Fold].
func (s *Set) Read(p *verbs.Pace, log []byte, now int64) bool {
	s.Trim(max(verbs.KeptScratch, 2*foldMemory(len(log)/verbs.TypicalToken)))
	cut := splitter{log: log, tokens: s.tokens[:cap(s.tokens)]}
	p.EachByte(len(log), cut.blocks)
	tokens := cut.end()
	s.tokens = tokens[:0]
	tokens, ok := s.hashAll(p, log, tokens)
	if !ok {
		s.foreign, s.untils.tokens = 0, 0
		return false
	}
	s.log, s.tokens, s.untils.now = log, tokens, now
	s.clearTable(p)
	p.Each(len(tokens), s.fold)
	if s.untils.tokens > 0 {
		p.Each(len(tokens), s.countLasting)
	} else {
		p.Each(len(tokens), s.count)
	}
	return true
}

// Extend implements [format.Fold]. It returns false if the table is too small for the
// tokens, if the clock was put back, or if it is not known which members have expired.
func (s *Set) Extend(log []byte, now int64) bool {
	if !s.advance(now) {
		s.Trim(s.Kept())
		return false
	}
	from, known := len(s.log), len(s.tokens)
	if len(log) == from && known > 0 {
		s.log = log
		return true
	}
	cut := splitter{log: log[from:]}
	cut.blocks(0, len(log)-from)
	more := cut.end()
	if n := known + len(more); n > int(s.index) || verbs.TableSize(n) > len(s.table) {
		s.Trim(s.Kept())
		return false
	}
	for i := range more {
		more[i].from += uint32(from)
		more[i].to += uint32(from)
	}
	more, ok := s.hashAll(nil, log, more)
	if !ok {
		s.Trim(s.Kept())
		return false
	}
	s.log, s.tokens = log, append(s.tokens, more...)
	for i := known; i < len(s.tokens); i++ {
		s.add(i)
	}
	return true
}

// add does for one token what fold and count do for all.
func (s *Set) add(i int) {
	t := &s.tokens[i]
	slot := s.find(t.hash, t.member(s.log))
	if *slot != 0 {
		before := &s.tokens[*slot&s.index-1]
		was := *before
		if !before.yields(t) {
			return
		}
		s.uncount(&was)
	}
	*slot = t.hash&^s.index | uint32(i+1)
	s.countOne(t)
}

// hashAll hashes the members of tokens and removes tokens of other kinds. It returns
// false if a token is of no kind.
func (s *Set) hashAll(p *verbs.Pace, log []byte, tokens []token) ([]token, bool) {
	sound, foreign, lasting := true, 0, 0
	p.Each(len(tokens), func(from, to int) {
		n, m, ok := hashTokens(log, tokens[from:to])
		foreign, lasting, sound = foreign+n, lasting+m, sound && ok
	})
	s.untils.tokens += lasting
	if foreign > 0 && sound {
		tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.from == t.to })
		s.foreign += foreign
	}
	return tokens, sound
}

// Expect implements [format.Fold].
func (s *Set) Expect(p *verbs.Pace, tokens int) {
	s.Trim(max(verbs.KeptScratch, 2*foldMemory(tokens)))
	s.tokens = verbs.Grow(p, s.tokens, tokens+block)
}

// foldMemory returns the most memory that folding so many tokens takes, in bytes.
func foldMemory(tokens int) int { return (tokens+block)*tokenSize + 4*verbs.TableSize(tokens) }

// Trim implements [format.Fold].
func (s *Set) Trim(keep int) {
	if s.Kept() > keep {
		*s = Set{}
	}
	*s = Set{tokens: s.tokens[:0], table: s.table[:0], untils: untils{times: s.untils.times[:0]}}
}

// Kept implements [format.Fold].
func (s *Set) Kept() int {
	return cap(s.tokens)*tokenSize + cap(s.table)*4 + cap(s.untils.times)*lastingSize
}

// count counts the members among the tokens from index from to index to.
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
	return slot != 0 && s.lives(&s.tokens[slot&s.index-1])
}

// lives reports whether the token has added a member that is in the set.
func (s *Set) lives(t *token) bool {
	if t.hash&timed != 0 {
		return !s.hasExpired(t)
	}
	return t.hash&dead == 0
}

// Live returns the number of members.
func (s *Set) Live() int { return s.live }

// Dead returns the number of superfluous tokens in the log.
func (s *Set) Dead() int { return len(s.tokens) + s.foreign - s.live - s.untils.waning.members }

// Foreign implements [format.Fold].
func (s *Set) Foreign() int { return s.foreign }

// Length returns how many bytes AppendMembers appends.
func (s *Set) Length() int { return s.length + max(s.live-1, 0) }
