package sharding

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// newPymemcache returns the layout of the HashClient of Python's pymemcache 3.5.2 with
// default settings (RendezvousHash with murmur3_32): for each server, the server's
// text, a hyphen and the key are hashed by 32-bit MurmurHash3 with seed 0, and the
// server with the greatest hash has the key.
//
// The text of a server is "host:port", or the path of a unix socket. The order of the
// list does not matter; of two servers with the same hash, the one with the greater
// text has the key. A lookup takes time in proportion to the number of servers.
//
// pymemcache hashes the key before it adds its key_prefix: [NewUnhashedPrefix] is for
// that. The program must pass keys as str, since pymemcache hashes bytes in their
// printed form, with a b and quotes around.
func newPymemcache(servers []Server) (Layout, error) {
	p := pymemcache{texts: make([]string, len(servers))}
	for i, s := range servers {
		p.texts[i] = s.hostPort()
		n := pymemcacheNode{server: uint32(i), length: uint32(len(p.texts[i]) + 1)}
		rest := []byte(p.texts[i] + "-")
		for len(rest) >= 4 {
			n.state = murmur3Block(n.state, murmur3Mix(binary.LittleEndian.Uint32(rest)))
			rest = rest[4:]
		}
		n.tail = partial(rest)
		p.nodes[len(rest)] = append(p.nodes[len(rest)], n)
	}
	return &p, nil
}

// pymemcache groups its servers by the length, modulo 4, of their text and the hyphen.
// A key has the same alignment to MurmurHash3's 4-byte words after all texts of a
// group, so its words are prepared once for the group.
type pymemcache struct {
	texts []string
	nodes [4][]pymemcacheNode
}

// pymemcacheNode is a server and the state of the hash after its text and the hyphen.
type pymemcacheNode struct {
	state  uint32 // after the whole words of the text and the hyphen
	tail   uint32 // the remaining bytes
	length uint32 // of the text and the hyphen
	server uint32 // index into the pool
}

// pymemcacheKey is how many bytes of a key are hashed. It exceeds memcached's longest
// key.
const pymemcacheKey = 252

// Locate implements [Layout].
func (p *pymemcache) Locate(key []byte) int {
	var narrow [pymemcacheKey]byte
	for _, c := range key {
		if c >= utf8.RuneSelf {
			key = codePoints(narrow[:0], key)
			break
		}
	}
	key = key[:min(len(key), pymemcacheKey)]
	best, winner := uint32(0), -1
	for extra, nodes := range p.nodes {
		if len(nodes) == 0 {
			continue
		}
		var s murmur3Suffix
		s.prepare(key, extra)
		for i := range nodes {
			hash, server := s.hash(&nodes[i]), int(nodes[i].server)
			if winner < 0 || hash > best || hash == best && p.texts[server] > p.texts[winner] {
				best, winner = hash, server
			}
		}
	}
	return winner
}

// murmur3Suffix is a key divided into the words of MurmurHash3, for texts that leave a
// given number of bytes in their last word.
type murmur3Suffix struct {
	length uint32
	first  uint32 // the word that begins with the remaining bytes of the text
	whole  bool   // whether the key completes that word
	words  [pymemcacheKey / 4]uint32
	n      int
	last   uint32 // the bytes after the whole words
}

func (s *murmur3Suffix) prepare(key []byte, extra int) {
	s.length = uint32(len(key))
	head := key[:min(len(key), (4-extra)%4)]
	s.first = partial(head) << (8 * extra)
	s.whole = extra > 0 && extra+len(head) == 4
	key = key[len(head):]
	for len(key) >= 4 {
		s.words[s.n] = murmur3Mix(binary.LittleEndian.Uint32(key))
		s.n++
		key = key[4:]
	}
	s.last = murmur3Mix(partial(key))
}

// hash returns the MurmurHash3 of a server's text, a hyphen and the key.
func (s *murmur3Suffix) hash(n *pymemcacheNode) uint32 {
	h, first := n.state, murmur3Mix(n.tail|s.first)
	if s.whole {
		h = murmur3Block(h, first)
		first = 0
	}
	for _, word := range s.words[:s.n] {
		h = murmur3Block(h, word)
	}
	return murmur3Final(h ^ first ^ s.last ^ (n.length + s.length))
}

// codePoints appends the lowest byte of each code point of a key in UTF-8; pymemcache's
// hash uses no more of them. It stops when b is full, which no key that memcached
// accepts can cause.
func codePoints(b, key []byte) []byte {
	for len(key) > 0 && len(b) < cap(b) {
		r, size := utf8.DecodeRune(key)
		b = append(b, byte(r))
		key = key[size:]
	}
	return b
}

// partial returns up to three bytes as a little-endian word.
func partial(b []byte) (word uint32) {
	for i, c := range b {
		word |= uint32(c) << (8 * i)
	}
	return word
}

// The steps of MurmurHash3_x86_32 by Austin Appleby.

func murmur3Block(h, mixed uint32) uint32 {
	return bits.RotateLeft32(h^mixed, 13)*5 + 0xe6546b64
}

func murmur3Mix(word uint32) uint32 {
	return bits.RotateLeft32(word*0xcc9e2d51, 15) * 0x1b873593
}

func murmur3Final(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
