package sharding

import (
	"encoding/binary"
	"math/bits"
)

const (
	furcSeed  = 4193360111
	furcTries = 32 // numbers that are drawn at most
	furcStep  = 23 // bits between two that make up a number
)

// furc is mcrouter's FurcHash (lib/fbi/hash.c), a consistent hash: it returns a number below n, and with a larger n
// either the same or one that is new.
//
// It draws numbers from a stream of bits that the key determines. The number of bits that one has is found
// as in binary search: the first bit that is set, from the greatest possible one down, is the highest of the number.
func furc(key []byte, n int) int {
	if n < 2 {
		return 0
	}
	stream := newFurcBits(key)
	width := bits.Len(uint(n - 1))
	at := width
	for range furcTries {
		for stream.bit(at) == 0 {
			if width--; width == 0 {
				return 0
			}
			at = width
		}
		at += furcStep
		number := 1
		for range width - 1 {
			number = number<<1 | stream.bit(at)
			at += furcStep
		}
		if number < n {
			return number
		}
	}
	return 0
}

// furcBits is a stream of bits in words of 64, the lowest bit first. The first word is the hash of the key, and each
// other one is the hash of the one before it.
type furcBits struct {
	first, word uint64
	index       int // of word
}

func newFurcBits(key []byte) furcBits {
	first := murmur64A(key, furcSeed)
	return furcBits{first, first, 0}
}

// bit returns the bit at a place in the stream.
func (f *furcBits) bit(at int) int {
	want := at / 64
	if want < f.index {
		f.word, f.index = f.first, 0
	}
	for ; f.index < want; f.index++ {
		var text [8]byte
		binary.LittleEndian.PutUint64(text[:], f.word)
		f.word = murmur64A(text[:], furcSeed)
	}
	return int(f.word >> (at % 64) & 1)
}

// murmur64A is MurmurHash64A by Austin Appleby.
func murmur64A(key []byte, seed uint64) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := seed ^ uint64(len(key))*m
	for len(key) >= 8 {
		k := binary.LittleEndian.Uint64(key) * m
		h = (h ^ (k^k>>r)*m) * m
		key = key[8:]
	}
	if len(key) > 0 {
		var rest [8]byte
		copy(rest[:], key)
		h = (h ^ binary.LittleEndian.Uint64(rest[:])) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}
