package hotkeys

import "bytes"

// Size is the number of keys that a sketch counts.
const Size = 128

// sketch is a Space-Saving summary of a stream of keys. Its arrays are searched from end to
// end, which takes less time than a tree at this size, as few keys are sampled.
type sketch struct {
	used   int
	total  uint32
	hashes [Size]uint64
	counts [Size]uint32
	errors [Size]uint32 // how much of a count may be another key's
	times  [Size]uint32 // how often the key was in the sample
	keys   [Size][]byte
}

// add counts n requests for key, whose hash is hash.
func (s *sketch) add(hash uint64, key []byte, n uint32) {
	s.total += n
	for i, h := range s.hashes[:s.used] {
		if h == hash && bytes.Equal(s.keys[i], key) {
			s.counts[i] += n
			s.times[i]++
			return
		}
	}
	i := s.used
	if i < Size {
		s.used++
		s.counts[i] = 0
	} else {
		i = s.least()
	}
	s.errors[i], s.times[i] = s.counts[i], 1
	s.counts[i] += n
	s.hashes[i], s.keys[i] = hash, append(s.keys[i][:0], key...)
}

// least returns the index of the least count.
func (s *sketch) least() (index int) {
	least := s.counts[0]
	for i, n := range s.counts {
		if n < least {
			least, index = n, i
		}
	}
	return index
}

// clear forgets all keys, and keeps their memory.
func (s *sketch) clear() { s.used, s.total = 0, 0 }
