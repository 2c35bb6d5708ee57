package sets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// weaken makes hashes collide: without a seed, all members whose first word in a window
// is zero, such as those of up to 8 bytes, have the same hash.
func weaken(t testing.TB) {
	old := seed
	seed = [2]uint64{}
	t.Cleanup(func() { seed = old })
	for _, member := range []string{"a", "ab", "abcdefgh", strings.Repeat("\x00", 8) + "a", strings.Repeat("\x00", 30) + "a"} {
		if hash([]byte(member)) != 0 {
			t.Fatalf("%q has the hash %x", member, hash([]byte(member)))
		}
	}
}

func TestSetOfCollisions(t *testing.T) {
	weaken(t)
	r := rand.New(rand.NewPCG(3, 4))
	var s Set
	for range 300 {
		members := 1 + r.IntN(60)
		log := randomLog(r, r.IntN(1+3*members), members)
		compareSet(t, &s, log)
		compareSet(t, &s, strings.ReplaceAll(log, "m", strings.Repeat("\x00", r.IntN(40))+"m"))
	}
}

// Tokens are found anywhere in a block, with members of any length and any white space
// between them, and nothing else is found.
func TestSetOfAllLengths(t *testing.T) {
	verbtest.Long(t)
	var s Set
	for length := range 2*block + 20 {
		member := strings.Repeat("m", length) + "x"
		for shift := range block + 1 {
			space := strings.Repeat(" \n", shift)[:shift]
			compareSet(t, &s, space+"+"+member)
			compareSet(t, &s, space+"+"+member+" -a +"+member+" -"+member+"\t+b -"+member+"\r\n\f\v+"+member+space)
		}
	}
	for _, length := range []int{250, 251, 1000, 1 << 16, 1 << 20} {
		member := strings.Repeat("m", length-1)
		compareSet(t, &s, "+"+member+"x +"+member+"y -"+member+"x +"+member+"z +m"+member+"z +"+member+"x")
	}
}

// Every byte but white space can be a part of a member.
func TestSetOfAnyBytes(t *testing.T) {
	var s Set
	for c := range 256 {
		for at := range 18 {
			text := strings.Repeat(".", at) + string([]byte{byte(c)})
			compareSet(t, &s, "+"+text+" +a -"+text+" +"+text+". +."+text)
			compareSet(t, &s, text+" +a")
		}
	}
}

// The hash of a member does not depend on its place in the log.
func TestHash(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for length := 1; length <= 3*window; length++ {
		member := make([]byte, length)
		for i := range member {
			member[i] = '!' + byte(r.IntN(90))
		}
		want := hash(member)
		for shift := range 2 * window {
			log := append(append([]byte(strings.Repeat("x", shift)), '+'), member...)
			tokens := []token{{from: uint32(shift + 1), to: uint32(len(log))}}
			if _, _, ok := hashTokens(log, tokens); !ok || tokens[0].hash != want {
				t.Fatalf("%q: hash %x, in %q %x", member, want, log, tokens[0].hash)
			}
		}
	}
}

// Members that differ in one bit, or in two, have hashes that differ.
func TestHashesDiffer(t *testing.T) {
	same, pairs := 0, 0
	for length := 1; length <= 3*window; length++ {
		seen := map[uint32]bool{}
		text := []byte(strings.Repeat("m", length))
		for at := range text {
			for bit := range 8 {
				text[at] ^= 1 << bit
				sum := hash(text)
				if seen[sum] {
					same++
				}
				pairs += len(seen)
				seen[sum] = true
				text[at] ^= 1 << bit
			}
		}
	}
	if same > 3 { // with hashes of 30 bits none is expected among so few pairs
		t.Errorf("%d of %d pairs have the same hash", same, pairs)
	}
}

// tokenLog makes a log of a few members out of arbitrary bytes. The members have equal
// beginnings or equal ends.
func tokenLog(data []byte) string {
	var b strings.Builder
	for ; len(data) >= 2; data = data[2:] {
		c, length := data[0], int(data[1])
		b.WriteByte("+-"[c&1])
		filling := strings.Repeat("m", length)
		if c&2 == 0 {
			fmt.Fprintf(&b, "%s%c", filling, 'a'+c>>5)
		} else {
			fmt.Fprintf(&b, "%c%s", 'a'+c>>5, filling)
		}
		b.WriteString([]string{" ", " ", "\n", " \t "}[c>>3&3])
	}
	return b.String()
}

func FuzzSetOfTokens(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 0, 32, 9, 33, 9, 32, 9}, false)
	f.Add([]byte{0, 9, 32, 9, 64, 9, 1, 9, 33, 9, 65, 9, 0, 9}, true)
	f.Add([]byte{2, 16, 34, 16, 3, 16, 2, 15, 34, 17, 2, 16, 10, 255, 26, 250}, false)
	var s Set
	f.Fuzz(func(t *testing.T, data []byte, weak bool) {
		if weak {
			weaken(t)
		}
		compareSet(t, &s, tokenLog(data))
	})
}
