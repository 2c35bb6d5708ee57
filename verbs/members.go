package verbs

import "slices"

// AppendMembers appends the members to dst with one space between, in the
// order in which they were last added after being absent.
func (s *Set) AppendMembers(dst []byte) []byte {
	if s.live == 0 {
		return dst
	}
	dst = s.appendEach(dst, 0)
	return dst[:len(dst)-1]
}

// AppendLog appends to dst the shortest log of the same set.
func (s *Set) AppendLog(dst []byte) []byte { return s.appendEach(dst, '+') }

// appendRemovals appends to dst a log that removes all members.
func (s *Set) appendRemovals(dst []byte) []byte { return s.appendEach(dst, '-') }

// appendEach appends each member to dst, behind sign if it is not 0, and before
// a space.
func (s *Set) appendEach(dst []byte, sign byte) []byte {
	n, size := len(dst), s.length+s.live
	if sign != 0 {
		size += s.live
	}
	dst = slices.Grow(dst, size)[:n+size]
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.hash&dead != 0 {
			continue
		}
		if sign != 0 {
			dst[n] = sign
			n++
		}
		// To copy a whole window is faster than to copy what is needed, and what
		// comes next is written over the rest.
		from, to := int(t.from), int(t.to)
		if to-from <= window && from+window <= len(s.log) && n+window <= len(dst) {
			*(*[window]byte)(dst[n : n+window]) = *(*[window]byte)(s.log[from : from+window])
		} else {
			copy(dst[n:], s.log[from:to])
		}
		n += to - from
		dst[n] = ' '
		n++
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
	for i := range s.tokens {
		if t := &s.tokens[i]; s.log[t.from-1] == '-' && t.hash&again == 0 {
			dst = appendToken(dst, '-', t.member(s.log))
		}
	}
	return s.AppendLog(dst)
}

// sample returns at most n members, no one twice, each as likely as any other.
// random gives a number below the one it is given.
func (s *Set) sample(n int, random func(int) int) [][]byte {
	all := make([]uint32, 0, s.live) // indices of tokens
	for i := range s.tokens {
		if s.tokens[i].hash&dead == 0 {
			all = append(all, uint32(i))
		}
	}
	sample := make([][]byte, min(n, len(all)))
	for i := range sample { // the first steps of Fisher and Yates's shuffle
		j := i + random(len(all)-i)
		all[i], all[j] = all[j], all[i]
		sample[i] = s.tokens[all[i]].member(s.log)
	}
	return sample
}
