package sharding

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// These are the hash functions of clients, each a variant of a well-known one. Where
// the original is C that hashes a char, the char is signed, as on x86.

// signed is a C char turned into an unsigned int.
func signed(c byte) uint32 { return uint32(int32(int8(c))) }

// oneAtATime is Bob Jenkins's hash of that name, from "A hash function for hash
// table lookup", Dr. Dobb's Journal, September 1997.
func oneAtATime(key []byte) uint32 {
	var h uint32
	for _, c := range key {
		h += signed(c)
		h += h << 10
		h ^= h >> 6
	}
	h += h << 3
	h ^= h >> 11
	h += h << 15
	return h
}

// The Fowler/Noll/Vo hashes, see https://datatracker.ietf.org/doc/draft-eastlake-fnv/.
const (
	fnvOffset32 = 2166136261
	fnvPrime32  = 16777619
	fnvOffset64 = 14695981039346656037
	fnvPrime64  = 1099511628211
)

// fnv1 returns the hash FNV-1 for an offset and a prime.
func fnv1(offset, prime uint32) func(key []byte) uint32 {
	return func(key []byte) uint32 {
		h := offset
		for _, c := range key {
			h *= prime
			h ^= signed(c)
		}
		return h
	}
}

// fnv1a is like [fnv1], for FNV-1a.
func fnv1a(offset, prime uint32) func(key []byte) uint32 {
	return func(key []byte) uint32 {
		h := offset
		for _, c := range key {
			h ^= signed(c)
			h *= prime
		}
		return h
	}
}

// Of the hashes of 64 bits this is the lower half. Multiplication carries nothing downwards, so the upper half need not
// be computed.
var (
	fnv1Of32  = fnv1(fnvOffset32, fnvPrime32)
	fnv1aOf32 = fnv1a(fnvOffset32, fnvPrime32)
	fnv1Of64  = fnv1(fnvOffset64&0xffffffff, fnvPrime64&0xffffffff)
	fnv1aOf64 = fnv1a(fnvOffset64&0xffffffff, fnvPrime64&0xffffffff)
)

// crc32Whole is the CRC-32 of IEEE 802.3, as in zlib.
func crc32Whole(key []byte) uint32 { return crc32.ChecksumIEEE(key) }

// crc32Short is 15 bits of the CRC-32, as the first clients of memcached, in Perl, used
// it.
func crc32Short(key []byte) uint32 { return crc32.ChecksumIEEE(key) >> 16 & 0x7fff }

// crc16 is the CRC-16 of XMODEM, polynomial 0x1021, without a mask: bits shifted out of
// the lower 16 stay in the upper 16.
func crc16(key []byte) uint32 {
	var h uint32
	for _, c := range key {
		h = h<<8 ^ crc16Table[byte(h>>8)^c]
	}
	return h
}

var crc16Table = func() (table [256]uint32) {
	for i := range table {
		crc := uint16(i) << 8
		for range 8 {
			carry := crc >> 15
			crc = crc<<1 ^ carry*0x1021
		}
		table[i] = uint32(crc)
	}
	return table
}()

// hsieh is Paul Hsieh's SuperFastHash, but starts from 0 rather than from the length.
func hsieh(key []byte) uint32 {
	var h uint32
	for len(key) >= 4 {
		h += uint32(binary.LittleEndian.Uint16(key))
		h = h<<16 ^ uint32(binary.LittleEndian.Uint16(key[2:]))<<11 ^ h
		h += h >> 11
		key = key[4:]
	}
	switch len(key) {
	case 3:
		h += uint32(binary.LittleEndian.Uint16(key))
		h ^= h << 16
		h ^= signed(key[2]) << 18
		h += h >> 11
	case 2:
		h += uint32(binary.LittleEndian.Uint16(key))
		h ^= h << 11
		h += h >> 17
	case 1:
		h += uint32(key[0])
		h ^= h << 10
		h += h >> 1
	}
	h ^= h << 3
	h += h >> 5
	h ^= h << 4
	h += h >> 17
	h ^= h << 25
	h += h >> 6
	return h
}

// jenkins is Bob Jenkins's hashlittle from lookup3.c, with the initial value 13.
func jenkins(key []byte) uint32 {
	a := 0xdeadbeef + uint32(len(key)) + 13
	b, c := a, a
	for len(key) > 12 {
		a, b, c = jenkinsMix(
			a+binary.LittleEndian.Uint32(key),
			b+binary.LittleEndian.Uint32(key[4:]),
			c+binary.LittleEndian.Uint32(key[8:]))
		key = key[12:]
	}
	if len(key) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], key)
	return jenkinsFinal(
		a+binary.LittleEndian.Uint32(last[:]),
		b+binary.LittleEndian.Uint32(last[4:]),
		c+binary.LittleEndian.Uint32(last[8:]))
}

func jenkinsMix(a, b, c uint32) (uint32, uint32, uint32) {
	a, c = (a-c)^bits.RotateLeft32(c, 4), c+b
	b, a = (b-a)^bits.RotateLeft32(a, 6), a+c
	c, b = (c-b)^bits.RotateLeft32(b, 8), b+a
	a, c = (a-c)^bits.RotateLeft32(c, 16), c+b
	b, a = (b-a)^bits.RotateLeft32(a, 19), a+c
	c, b = (c-b)^bits.RotateLeft32(b, 4), b+a
	return a, b, c
}

func jenkinsFinal(a, b, c uint32) uint32 {
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	return (c ^ b) - bits.RotateLeft32(b, 24)
}

// murmur2 is Austin Appleby's MurmurHash2 with a seed computed from the length.
func murmur2(key []byte) uint32 {
	const m = 0x5bd1e995
	n := uint32(len(key))
	h := n*0xdeadbeef ^ n
	for len(key) >= 4 {
		k := binary.LittleEndian.Uint32(key) * m
		k = (k ^ k>>24) * m
		h = h*m ^ k
		key = key[4:]
	}
	if len(key) > 0 {
		h = (h ^ partial(key)) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
