package sets

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// token is a token of a log.
type token struct {
	hash     uint32 // of the member, see hash.go; its lowest bits are flags
	from, to uint32 // where the member stands in the log
}

const tokenSize = 12 // in bytes

// The flags.
const (
	// dead is set if the set is the same without the token: it removes, or it
	// adds who was a member already, or that was removed later.
	dead = 1 << iota
	// again is set if the member has been removed before.
	again
	flagBits = iota
)

// member returns the member that the token of log names.
func (t *token) member(log []byte) []byte { return log[t.from:t.to] }

// Looking at one byte after the other takes longer than all else that there is
// to be done with a log, and where the next token begins would be known only
// once this one is read. So white space is looked for in a block of 64 bytes at
// a time, eight of them in a register, before any token is looked at.

// block is how many bytes are searched at a time, one for each bit of a word.
const block = verbs.Block

// splitter cuts log into tokens, in the memory of tokens if there is enough. They
// may be anything yet: neither their signs nor their lengths are looked at.
type splitter struct {
	log    []byte
	tokens []token
	n      int // so many of them are there
	start  int // where the next one begins
}

// blocks cuts the blocks from one place in the log to another.
func (s *splitter) blocks(from, to int) {
	log, tokens := s.log, s.tokens
	n, start := s.n, s.start
	last := blank
	for at := from; at < to; at += block {
		b := &last
		if at+block <= len(log) {
			b = (*[block]byte)(log[at : at+block])
		} else {
			copy(last[:], log[at:])
		}
		if n+block > len(tokens) {
			more := min(bytes.Count(log[at:], []byte{' '}), (len(log)-at)/len("+m "))
			tokens = slices.Grow(tokens[:n], more+block)
			tokens = tokens[:cap(tokens)]
		}
		for ends := invisible(b); ends != 0; ends &= ends - 1 {
			i := bits.TrailingZeros64(ends)
			if !structure.Space(b[i%block]) {
				continue
			}
			tokens[n].from, tokens[n].to = uint32(start+1), uint32(at+i)
			if at+i != start { // else there is more than one space
				n++
			}
			start = at + i + 1
		}
	}
	s.tokens, s.n, s.start = tokens, n, start
}

// end returns the tokens when all blocks have been cut.
func (s *splitter) end() []token {
	tokens := s.tokens[:s.n]
	if s.start < len(s.log) { // the last token ends with the last block
		tokens = append(tokens, token{from: uint32(s.start + 1), to: uint32(len(s.log))})
	}
	return tokens
}

// blank is a block of nothing but white space.
var blank = [block]byte([]byte("                                                                "))

// invisible returns a bit for each byte of b that is white space or a control
// character.
func invisible(b *[block]byte) uint64 {
	return ^(visible(b[0:8]) | visible(b[8:16])<<8 | visible(b[16:24])<<16 | visible(b[24:32])<<24 |
		visible(b[32:40])<<32 | visible(b[40:48])<<40 | visible(b[48:56])<<48 | visible(b[56:64])<<56)
}

// visible returns a bit for each of eight bytes that is above ' ', the lowest
// for the first one. The addition moves that to the highest bit of each byte,
// with no carry to the next, and the multiplication these bits together.
func visible(b []byte) uint64 {
	const every = 0x0101010101010101
	word := binary.LittleEndian.Uint64(b)
	high := (word&(0x7f*every) + (0x7f-' ')*every | word) & (0x80 * every)
	return high * 0x0002040810204081 >> 56
}
