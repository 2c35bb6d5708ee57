package sharding

import (
	"encoding/binary"
	"math/bits"
)

const (
	spookyConst = 0xdeadbeefdeadbeef
	spookyBlock = 96              // bytes that the hash of long texts takes at a time
	spookyShort = 2 * spookyBlock // texts with fewer bytes are hashed in a shorter way
)

// spooky is the 32-bit result of Bob Jenkins's SpookyHash V2 (https://burtleburtle.net/bob/hash/spooky.html).
func spooky(key []byte, seed uint32) uint32 {
	if len(key) < spookyShort {
		return uint32(shortSpooky(key, uint64(seed)))
	}
	return uint32(longSpooky(key, uint64(seed)))
}

// shortSpooky returns the lower half of the hash of a short text.
func shortSpooky(key []byte, seed uint64) uint64 {
	s := spookyState{seed, seed, spookyConst, spookyConst}
	length := len(key)
	for len(key) >= 32 {
		s.add(key)
		s[0] += binary.LittleEndian.Uint64(key[16:])
		s[1] += binary.LittleEndian.Uint64(key[24:])
		key = key[32:]
	}
	if len(key) >= 16 {
		s.add(key)
		key = key[16:]
	}
	s[3] += uint64(length) << 56
	if len(key) == 0 {
		s[2] += spookyConst
		s[3] += spookyConst
	} else {
		var rest [16]byte
		copy(rest[:], key)
		s[2] += binary.LittleEndian.Uint64(rest[:])
		s[3] += binary.LittleEndian.Uint64(rest[8:])
	}
	s.end()
	return s[0]
}

// spookyState is the state of the hash of a short text.
type spookyState [4]uint64

// add adds 16 bytes.
func (s *spookyState) add(key []byte) {
	s[2] += binary.LittleEndian.Uint64(key)
	s[3] += binary.LittleEndian.Uint64(key[8:])
	for i, by := range [...]int{50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36} {
		turned, next, mixed := &s[(i+2)%4], s[(i+3)%4], &s[i%4]
		*turned = bits.RotateLeft64(*turned, by) + next
		*mixed ^= *turned
	}
}

// end mixes the state after the last byte.
func (s *spookyState) end() {
	for i, by := range [...]int{15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63} {
		turned, mixed := &s[(i+2)%4], &s[(i+3)%4]
		*mixed ^= *turned
		*turned = bits.RotateLeft64(*turned, by)
		*mixed += *turned
	}
}

// longSpooky returns the lower half of the hash of a long text.
func longSpooky(key []byte, seed uint64) uint64 {
	var s longSpookyState
	for i := range s {
		s[i] = [...]uint64{seed, seed, spookyConst}[i%3]
	}
	for len(key) >= spookyBlock {
		s.mix(key)
		key = key[spookyBlock:]
	}
	var rest [spookyBlock]byte
	copy(rest[:], key)
	rest[spookyBlock-1] = byte(len(key))
	for i := range s {
		s[i] += binary.LittleEndian.Uint64(rest[8*i:])
	}
	for range 3 {
		s.end()
	}
	return s[0]
}

// longSpookyState is the state of the hash of a long text.
type longSpookyState [spookyBlock / 8]uint64

// of returns the word at i, counted around.
func (s *longSpookyState) of(i int) *uint64 { return &s[i%len(s)] }

// mix adds a block.
func (s *longSpookyState) mix(block []byte) {
	for i, by := range [...]int{11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46} {
		s[i] += binary.LittleEndian.Uint64(block[8*i:])
		*s.of(i + 2) ^= *s.of(i + 10)
		*s.of(i + 11) ^= s[i]
		s[i] = bits.RotateLeft64(s[i], by)
		*s.of(i + 11) += *s.of(i + 1)
	}
}

// end mixes the state after the last block.
func (s *longSpookyState) end() {
	for i, by := range [...]int{44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54} {
		word, added := s.of(i+1), s.of(i+11)
		*added += *word
		*s.of(i + 2) ^= *added
		*word = bits.RotateLeft64(*word, by)
	}
}
