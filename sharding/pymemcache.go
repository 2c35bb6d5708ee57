package sharding

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// NewPymemcache returns the layout of Python's pymemcache 3.5.2 as its HashClient
// has it when told nothing (RendezvousHash with murmur3_32): for each server the
// server, a hyphen and the key are hashed by MurmurHash3 with 32 bits and seed 0,
// and the server with the greatest hash has the key.
//
// What is hashed of a server is "host:port", or the path of a unix socket. The
// order of the list does not matter; of two servers with the same hash the one
// whose text is greater has the key. A lookup takes time in proportion to the
// number of servers.
//
// pymemcache hashes the key it was given, before it adds its key_prefix, and a
// layout that is shown the whole key then disagrees. It must have been given a
// str: it hashes bytes with the b” that Python prints around them.
//
// It refuses an empty pool, a server that is there twice, weights and names.
func NewPymemcache(servers []Server) (Layout, error) {
	if err := checkPool("pymemcache", servers, 0); err != nil {
		return nil, err
	}
	var p pymemcache
	for _, s := range servers {
		p.nodes = append(p.nodes, newPymemcacheNode(s.hostPort()))
	}
	return &p, nil
}

type pymemcache struct{ nodes []pymemcacheNode }

// pymemcacheNode is a server and how far its text alone takes the hash.
type pymemcacheNode struct {
	text  string
	state uint32 // after the whole blocks of the text and the hyphen
	tail  uint32 // the bytes left over
	extra uint   // how many these are
}

func newPymemcacheNode(text string) pymemcacheNode {
	n := pymemcacheNode{text: text}
	rest := []byte(text + "-")
	for len(rest) >= 4 {
		n.state = murmur3Block(n.state, binary.LittleEndian.Uint32(rest))
		rest = rest[4:]
	}
	n.extra = uint(len(rest))
	n.tail = partial(rest)
	return n
}

// Locate implements [Layout].
func (p *pymemcache) Locate(key []byte) int {
	var narrow [256]byte
	for _, c := range key {
		if c >= utf8.RuneSelf {
			key = codePoints(narrow[:0], key)
			break
		}
	}
	best, winner := p.nodes[0].hash(key), 0
	for i := 1; i < len(p.nodes); i++ {
		hash := p.nodes[i].hash(key)
		if hash > best || hash == best && p.nodes[i].text > p.nodes[winner].text {
			best, winner = hash, i
		}
	}
	return winner
}

// hash returns the MurmurHash3 of the server's text, a hyphen and the key.
func (n *pymemcacheNode) hash(key []byte) uint32 {
	h, length := n.state, uint32(len(n.text)+1+len(key))
	tail, extra := n.tail, n.extra
	for len(key) >= 4 {
		word := binary.LittleEndian.Uint32(key)
		h = murmur3Block(h, tail|word<<(8*extra))
		tail = uint32(uint64(word) >> (32 - 8*extra))
		key = key[4:]
	}
	rest := uint64(tail) | uint64(partial(key))<<(8*extra)
	extra += uint(len(key))
	if extra >= 4 {
		h = murmur3Block(h, uint32(rest))
		rest >>= 32
	}
	if extra%4 != 0 {
		h ^= murmur3Mix(uint32(rest))
	}
	return murmur3Final(h ^ length)
}

// codePoints appends the code points of a key in UTF-8, a byte for each: the
// lowest one, which is all that pymemcache's hash sees of them. It stops when
// the room in b is used up, far beyond the longest key.
func codePoints(b, key []byte) []byte {
	for len(key) > 0 && len(b) < cap(b) {
		r, size := utf8.DecodeRune(key)
		b = append(b, byte(r))
		key = key[size:]
	}
	return b
}

// partial is the word of fewer than four bytes.
func partial(b []byte) (word uint32) {
	for i, c := range b {
		word |= uint32(c) << (8 * i)
	}
	return word
}

// The steps of MurmurHash3_x86_32 by Austin Appleby.

func murmur3Block(h, word uint32) uint32 {
	return bits.RotateLeft32(h^murmur3Mix(word), 13)*5 + 0xe6546b64
}

func murmur3Mix(word uint32) uint32 {
	return bits.RotateLeft32(word*0xcc9e2d51, 15) * 0x1b873593
}

func murmur3Final(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
