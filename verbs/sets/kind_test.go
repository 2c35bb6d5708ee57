package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A call that settles a head folds it as the kind it is, and drops tokens of other
// kinds.
func TestHeadIsSettledByItsOwnKind(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 40
		w.Put("k", "y+a y+b y+a y+c ", 0, 0)
		for n := range 6 {
			w.Expect(fmt.Sprintf("sadd k m%d", n), "STORED")
		}
		w.Expect("srem k m1", "STORED")
		w.Client.Start("scard k")
		for w.Client.Busy() {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		}
		if want := "CLIENT_ERROR k does not hold a set\r\n"; w.Client.Answer != want {
			t.Errorf("scard: %q, expected %q", w.Client.Answer, want)
		}
		log := w.Value("k")
		for _, key := range partKeys(w, "k") {
			log += " " + w.Value(key)
		}
		words := strings.Fields(log)
		slices.Sort(words)
		if got := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w[0] != 'y' }), " "); got != "y+a y+a y+b y+c" {
			t.Errorf("the pile is %q now, all is %q", got, log)
		}
		if len(w.Value("k")) > 60 {
			t.Errorf("the head was not settled: %q", w.Value("k"))
		}
	})
}

// A segment of another kind is not part of a set.
func TestSegmentOfAnotherKind(t *testing.T) {
	w := newWorld(t)
	w.Put("k", "@0123456789abcdeA:1:3:y ", 0, 0)
	w.Put("k:0123456789abcdeA.0", "+a ", 0, 0)
	w.Expect("scard k", "CLIENT_ERROR k does not hold a set")
}

// A token of another kind is not a member.
func TestForeignTokensMeanNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", "+a y+b h:x +c z~3 l( ", 0, 0)
		w.Expect("smembers k", "VALUE k 0 3", "a c", "END")
		w.Expect("sismember k a b +b y+b x", "1 0 0 0 0")
		w.Expect("scompact k", "OK")
		w.Holds("k", "+a +c ")
	})
}

// The laws of [format.Fold], for sets.
func TestLawsOfFold(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(3, 4))
	fold := func(parts ...string) string {
		var s Set
		log := strings.Join(parts, "")
		if !s.Read(nil, []byte(log), 0) {
			t.Fatalf("%.200q is no set", log)
		}
		return string(s.AppendMembers(nil, nil))
	}
	for range 3000 {
		before, first, second := foreigners(r, randomLog(r, r.IntN(30), 8)), randomLog(r, r.IntN(40), 8), foreigners(r, randomLog(r, r.IntN(40), 8))
		var s Set
		s.Read(nil, []byte(first), 0)
		if !s.Extend([]byte(first+second), 0) && !s.Read(nil, []byte(first+second), 0) {
			t.Fatalf("%q can't be read", first+second)
		}
		if got, want := string(s.AppendMembers(nil, nil)), fold(first, second); got != want {
			t.Fatalf("law 3: %q extended by %q is %q, expected %q", first, second, got, want)
		}
		if got, want := s.Live(), len(strings.Fields(fold(first, second))); got != want || s.Dead() != len(strings.Fields(first+second))-want {
			t.Fatalf("law 3: %q extended by %q: %d live and %d dead", first, second, got, s.Dead())
		}
		if got, want := fold(string(s.AppendLog(nil, nil))), fold(first, second); got != want {
			t.Fatalf("law 1: the log of %q makes %q, expected %q", first+second, got, want)
		}
		if size := len(s.AppendLog(nil, nil)); size != s.LogSize() {
			t.Fatalf("the log of %q has %d bytes, but counts as %d", first+second, size, s.LogSize())
		}
		if got, want := fold(before, string(s.AppendNet(nil, nil))), fold(before, first, second); got != want {
			t.Fatalf("law 2: the net of %q behind %q makes %q, expected %q", first+second, before, got, want)
		}
	}
}

// foreigners adds tokens of other kinds to a log.
func foreigners(r *rand.Rand, log string) string {
	tokens := strings.SplitAfter(log, " ")
	for range r.IntN(3) {
		tokens = slices.Insert(tokens, r.IntN(len(tokens)), []string{"y+m1 ", "l-m2 ", "z=4:m3 "}[r.IntN(3)])
	}
	return strings.Join(tokens, "")
}
