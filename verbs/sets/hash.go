package sets

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/memverbs/memverbs/verbs/structure"
)

// A member is hashed a window at a time: its two words, each combined with a
// number that nobody knows, are multiplied, and the halves of the product folded
// into one. That is a step of wyhash (Wang Yi, https://github.com/wangyi-fudan/wyhash).
// Most members take one step.

// seed is chosen anew by every process, so that nobody can think out members
// that collide.
var seed = [2]uint64{rand.Uint64(), rand.Uint64()}

// window is how much of a member is hashed in one step, in bytes.
const window = 16

// windowMasks has, for each number of bytes, the words of a window that has bits
// set in so many last bytes.
var windowMasks = func() (masks [window + 1][2]uint64) {
	for n := range masks {
		masks[n] = [2]uint64{^uint64(0) << min(64, 8*(window-n)), ^uint64(0) << max(0, 64-8*n)}
	}
	return masks
}()

// hashTokens hashes the members that the tokens of log name, and flags those
// that remove as dead. Those of other kinds, which mean nothing, it makes empty, and
// counts. It returns false if there is one of no kind.
func hashTokens(log []byte, tokens []token) (foreigners int, ok bool) {
	for {
		tokens = tokens[hashShort(log, tokens):]
		if len(tokens) == 0 {
			return foreigners, true
		}
		t := &tokens[0]
		sign := log[t.from-1]
		if structure.Foreign(log[t.from-1:t.to], 0) {
			t.to = t.from
			foreigners++
			tokens = tokens[1:]
			continue
		}
		if t.from == t.to || sign != '+' && sign != '-' {
			return 0, false
		}
		if t.hash = hash(t.member(log)); sign == '-' {
			t.hash |= dead
		}
		tokens = tokens[1:]
	}
}

// hashShort does so up to the first token that is wrong, or whose member does
// not end a window of the log, and returns how many there are before. No function
// is called here, as that would take as long again.
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
	var a, b uint64 // the words of a window that ends with the member
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

// mix adds a window to sum, which begins as the length of the member.
func mix(sum, a, b uint64) uint64 {
	high, low := bits.Mul64(a^seed[0], b^seed[1]^sum)
	return high ^ low
}

// finish makes a hash of a sum, and leaves the lowest bits to flags.
func finish(sum uint64) uint32 { return uint32(sum>>32) &^ (dead | again) }
