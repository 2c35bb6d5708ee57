package sets

import (
	"encoding/binary"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"math/bits"
	"math/rand/v2"
)

// A member is hashed in windows of two words. Each word is combined with a secret
// number, the two results are multiplied, and the halves of the product are combined by
// exclusive or. That is a step of wyhash (Wang Yi,
// https://github.com/wangyi-fudan/wyhash). Most members take one step.

// seed is random for every process, so that nobody can construct members that collide.
var seed = [2]uint64{rand.Uint64(), rand.Uint64()}

// window is how many bytes of a member are hashed in one step.
const window = 16

// windowMasks has, for each n, the two words of a window in which the bits of the last
// n bytes are set.
var windowMasks = func() (masks [window + 1][2]uint64) {
	for n := range masks {
		masks[n] = [2]uint64{^uint64(0) << min(64, 8*(window-n)), ^uint64(0) << max(0, 64-8*n)}
	}
	return masks
}()

// hashTokens hashes the members of tokens and flags removals as dead, and additions until a time as
// timed; it returns the number of these. It makes tokens of other kinds empty and returns their number.
// It returns false if a token is of no kind.
func hashTokens(log []byte, tokens []token) (foreigners, lasting int, ok bool) {
	for {
		tokens = tokens[hashShort(log, tokens):]
		if len(tokens) == 0 {
			return foreigners, lasting, true
		}
		t := &tokens[0]
		sign := log[t.from-1]
		if sign == signUntil {
			if !t.cutUntil(log) {
				return 0, 0, false
			}
			t.hash = hash(t.member(log)) | timed
			lasting++
			tokens = tokens[1:]
			continue
		}
		if format.Foreign(log[t.from-1:t.to], 0) {
			t.to = t.from
			foreigners++
			tokens = tokens[1:]
			continue
		}
		if t.from == t.to || sign != '+' && sign != '-' {
			return 0, 0, false
		}
		if t.hash = hash(t.member(log)); sign == '-' {
			t.hash |= dead
		}
		tokens = tokens[1:]
	}
}

// hashShort is hashTokens up to the first token that is malformed, or whose member is
// longer than a window or too near the start of the log. It returns how many tokens
// precede that. It calls no function that is not inlined, since that would double its
// time.
func hashShort(log []byte, tokens []token) int {
	for i := range tokens {
		t := &tokens[i]
		n, end, sign := t.to-t.from, int(t.to), log[t.from-1]-'+'
		if n-1 >= window || end < window || sign&^('-'-'+') != 0 {
			return i
		}
		w, mask := log[end-window:end], &windowMasks[n]
		sum := mix(uint64(n), binary.LittleEndian.Uint64(w)&mask[0], binary.LittleEndian.Uint64(w[8:])&mask[1])
		t.hash = finish(sum) | uint32(sign)/('-'-'+')*dead
	}
	return len(tokens)
}

// hash returns the hash of a member.
func hash(member []byte) uint32 {
	sum := uint64(len(member))
	for ; len(member) > window; member = member[window:] {
		sum = mix(sum, binary.LittleEndian.Uint64(member), binary.LittleEndian.Uint64(member[8:]))
	}
	var a, b uint64 // the words of the last window, which ends with the member
	if n := len(member); n >= 8 {
		a = binary.LittleEndian.Uint64(member) << (8 * (window - n))
		b = binary.LittleEndian.Uint64(member[n-8:])
	} else {
		for _, c := range member {
			b = b>>8 | uint64(c)<<56
		}
	}
	return finish(mix(sum, a, b))
}

// mix combines sum with the words of a window. The first sum is the length of the
// member.
func mix(sum, a, b uint64) uint64 {
	high, low := bits.Mul64(a^seed[0], b^seed[1]^sum)
	return high ^ low
}

// finish returns the hash for a sum, with the bits of the flags clear.
func finish(sum uint64) uint32 { return uint32(sum>>32) &^ flags }
