package sets

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// token is a token of a log.
type token struct {
	hash     uint32 // of the member, see hash.go; its lowest bits are flags
	from, to uint32 // the member is log[from:to]; before it is the sign, or the colon after an until
}

const tokenSize = 12 // in bytes

// The flags.
const (
	// dead is set if the token is superfluous: it is a removal, or it adds a member
	// that was in the set already or that was removed later.
	dead = 1 << iota
	// again is set if an earlier token removes the same member, or adds it until a time.
	again
	// timed is set if the token adds a member until a time (until.go), and decides whether it is in the set.
	timed
	flags    = dead | again | timed
	flagBits = iota - 1
)

// member returns the member that the token names.
func (t *token) member(log []byte) []byte { return log[t.from:t.to] }

// Scanning a log byte by byte would take longer than everything else, and the start of
// the next token would be known only after the end of this one. So white space is
// searched in blocks of 64 bytes, eight of them at a time in a register, before any
// token is examined.

// block is how many bytes are searched at once, one for each bit of a word.
const block = verbs.Block

// splitter splits log into tokens, in the memory of tokens if that suffices. It does
// not check their signs and lengths.
type splitter struct {
	log    []byte
	tokens []token
	n      int // number of tokens found
	start  int // index where the next one begins
}

// blocks splits the blocks of the log from index from to index to.
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
			if !format.Space(b[i%block]) {
				continue
			}
			tokens[n].from, tokens[n].to = uint32(start+1), uint32(at+i)
			if at+i != start { // the word is not empty
				n++
			}
			start = at + i + 1
		}
	}
	s.tokens, s.n, s.start = tokens, n, start
}

// end returns the tokens after all blocks have been split.
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

// visible returns a bit for each of eight bytes, the lowest bit for the first byte,
// that is set if the byte is above ' '. The addition sets the highest bit of each such
// byte, without a carry into the next, and the multiplication gathers these bits.
func visible(b []byte) uint64 {
	const every = 0x0101010101010101
	word := binary.LittleEndian.Uint64(b)
	high := (word&(0x7f*every) + (0x7f-' ')*every | word) & (0x80 * every)
	return high * 0x0002040810204081 >> 56
}
