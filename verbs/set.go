package verbs

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// Set is the fold of a set's log: who is a member after all tokens have been
// read in their order. It keeps no copy of the log and points into it. The
// zero value is an empty set, and one Set can read one log after another.
type Set struct {
	log     []byte
	tokens  int
	live    int
	entries []entry  // every member ever named, in order of first mention
	order   []uint32 // entries by when they last came to be members; dead ones are left in place
	table   []uint32 // open addressing: 1 + index into entries, 0 for free
}

// entry is a member that the log names.
type entry struct {
	hash     uint32
	from, to uint32 // its place in the log
	position uint32 // 1 + its place in order, 0 while it is not a member
	removed  bool   // at some time
}

var seed = maphash.MakeSeed() // so that nobody can choose members that collide

// Read folds log. It reports whether log is the log of a set at all.
func (s *Set) Read(log []byte) bool {
	s.reset(log)
	for i := 0; ; {
		for i < len(log) && space(log[i]) {
			i++
		}
		if i == len(log) {
			return true
		}
		start := i
		for i < len(log) && !space(log[i]) {
			i++
		}
		if i-start < 2 {
			return false
		}
		switch log[start] {
		case '+':
			s.add(start+1, i)
		case '-':
			s.remove(start+1, i)
		default:
			return false
		}
	}
}

// reset forgets the last log, and its memory if that was a lot.
func (s *Set) reset(log []byte) {
	s.trim(keptScratch)
	s.log, s.tokens, s.live = log, 0, 0
	s.entries, s.order, s.table = s.entries[:0], s.order[:0], s.table[:0]
}

// trim lets go of the log, and of the memory of the fold if that is more than
// keep bytes.
func (s *Set) trim(keep int) {
	s.log = nil
	if cap(s.entries)*20+cap(s.order)*4+cap(s.table)*4 > keep {
		*s = Set{}
	}
}

func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (s *Set) add(from, to int) {
	s.tokens++
	n := s.lookup(s.log[from:to], true, from)
	if e := &s.entries[n]; e.position == 0 {
		s.live++
		s.order = append(s.order, uint32(n))
		e.position = uint32(len(s.order))
	}
}

func (s *Set) remove(from, to int) {
	s.tokens++
	n := s.lookup(s.log[from:to], true, from)
	e := &s.entries[n]
	e.removed = true
	if e.position != 0 {
		s.live--
		s.order[e.position-1] = gone
		e.position = 0
	}
}

// gone marks a place in the order whose member was removed.
const gone = ^uint32(0)

// Has reports whether member is in the set.
func (s *Set) Has(member []byte) bool {
	n := s.lookup(member, false, 0)
	return n >= 0 && s.entries[n].position != 0
}

// Live returns the number of members.
func (s *Set) Live() int { return s.live }

// Dead returns the number of tokens that the log could do without.
func (s *Set) Dead() int { return s.tokens - s.live }

// AppendMembers appends the members to dst with one space between, in the
// order in which they were last added after being absent.
func (s *Set) AppendMembers(dst []byte) []byte {
	first := true
	for member := range s.members {
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = append(dst, member...)
	}
	return dst
}

// AppendLog appends to dst the shortest log of the same set.
func (s *Set) AppendLog(dst []byte) []byte {
	for member := range s.members {
		dst = appendToken(dst, '+', member)
	}
	return dst
}

// appendRemovals appends to dst a log that removes all members.
func (s *Set) appendRemovals(dst []byte) []byte {
	for member := range s.members {
		dst = appendToken(dst, '-', member)
	}
	return dst
}

// appendToken appends a token of a log.
func appendToken(dst []byte, sign byte, member []byte) []byte {
	return append(append(append(dst, sign), member...), ' ')
}

// AppendNet appends to dst a short log that does to any set what the log does
// that was read: what was removed at some time is removed first, then what are
// members at the end are added in their order.
func (s *Set) AppendNet(dst []byte) []byte {
	for i := range s.entries {
		if e := &s.entries[i]; e.removed {
			dst = appendToken(dst, '-', s.log[e.from:e.to])
		}
	}
	return s.AppendLog(dst)
}

// sample returns at most n members, no one twice, each as likely as any other.
// random gives a number below the one it is given.
func (s *Set) sample(n int, random func(int) int) [][]byte {
	all := make([][]byte, 0, s.live)
	for member := range s.members {
		all = append(all, member)
	}
	n = min(n, len(all))
	for i := range n { // the first steps of Fisher and Yates's shuffle
		j := i + random(len(all)-i)
		all[i], all[j] = all[j], all[i]
	}
	return all[:n]
}

func (s *Set) members(yield func([]byte) bool) {
	for _, i := range s.order {
		if i == gone {
			continue
		}
		if e := &s.entries[i]; !yield(s.log[e.from:e.to]) {
			return
		}
	}
}

// lookup returns the index of the entry of member. If there is none it makes
// one, for the member that stands in the log at from, or returns -1.
func (s *Set) lookup(member []byte, create bool, from int) int {
	if create && len(s.entries)*2 >= len(s.table) {
		s.grow()
	}
	if len(s.table) == 0 {
		return -1
	}
	hash := uint32(maphash.Bytes(seed, member))
	i := s.find(hash, member)
	if n := s.table[i]; n != 0 {
		return int(n - 1)
	}
	if !create {
		return -1
	}
	s.entries = append(s.entries, entry{hash: hash, from: uint32(from), to: uint32(from + len(member))})
	s.table[i] = uint32(len(s.entries))
	return len(s.entries) - 1
}

// find returns the place in the table of member, or the free one where it
// belongs.
func (s *Set) find(hash uint32, member []byte) uint32 {
	mask := uint32(len(s.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		n := s.table[i]
		if n == 0 {
			return i
		}
		if e := &s.entries[n-1]; e.hash == hash && bytes.Equal(s.log[e.from:e.to], member) {
			return i
		}
	}
}

// grow doubles the table, or makes one in which the members of the log may find
// room. It takes the memory of an earlier log if there is enough, and clears no
// more of it than it needs.
func (s *Set) grow() {
	size := 2 * len(s.table)
	if size == 0 {
		size = 1 << bits.Len(uint(len(s.log)/8|15))
	}
	if size > cap(s.table) {
		s.table = make([]uint32, size)
	}
	s.table = s.table[:size]
	clear(s.table)
	mask := uint32(len(s.table) - 1)
	for n := range s.entries {
		i := s.entries[n].hash & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = uint32(n + 1)
	}
}
