package verbs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pile is a fold of another kind than sets, of which a log is the sum of all tokens
// "y+word ". What was added twice is there twice.
type pile struct {
	log   []byte
	words []string
	dead  int
}

var pileKind = Kind{Letter: 'y', Name: "pile", New: func() Fold { return &pile{} }, Room: func(int) int { return 0 }}

func (f *pile) Expect(*pace, int) {}

func (f *pile) Read(_ *pace, log []byte, now int64) bool {
	*f = pile{}
	return f.Extend(log, now)
}

func (f *pile) Extend(log []byte, _ int64) bool {
	for _, token := range bytes.Fields(log[len(f.log):]) {
		switch {
		case bytes.HasPrefix(token, []byte("y+")):
			f.words = append(f.words, string(token[2:]))
		case foreign(token, 'y') || string(token) == "y":
			f.dead++
		default:
			return false
		}
	}
	f.log = log
	return true
}

func (f *pile) Live() int { return len(f.words) }
func (f *pile) Dead() int { return f.dead }

func (f *pile) AppendLog(_ *pace, dst []byte) []byte {
	for _, w := range f.words {
		dst = append(append(append(dst, "y+"...), w...), ' ')
	}
	return dst
}

func (f *pile) AppendNet(p *pace, dst []byte) []byte { return f.AppendLog(p, dst) }
func (f *pile) Trim(int)                             { *f = pile{} }
func (f *pile) Kept() int                            { return 0 }

// withPiles has piles be a kind for the time of a test, which must not be parallel.
func withPiles(t *testing.T) {
	kinds = append(kinds, &pileKind)
	t.Cleanup(func() { kinds = kinds[:len(kinds)-1] })
}

// Whoever finds a head too long folds it as what it is, and what has come there by
// mistake goes.
func TestHeadIsSettledByItsOwnKind(t *testing.T) {
	withPiles(t)
	onBoth(t, func(t *testing.T, w *world) {
		w.options.StructureItemSize = 40
		w.put("k", "y+a y+b y+a y+c ", 0, 0)
		for n := range 6 {
			w.expect(fmt.Sprintf("sadd k m%d", n), "STORED")
		}
		w.expect("srem k m1", "STORED")
		w.client.start("scard k")
		for w.client.busy() {
			w.client.carryOut(0, func(op Op) Reply { return w.do(t, op) })
		}
		if want := "CLIENT_ERROR k does not hold a set\r\n"; w.client.answer != want {
			t.Errorf("scard: %q, expected %q", w.client.answer, want)
		}
		log := w.value("k")
		for _, key := range w.partKeys("k") {
			log += " " + w.value(key)
		}
		words := strings.Fields(log)
		slices.Sort(words)
		if got := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w[0] != 'y' }), " "); got != "y+a y+a y+b y+c" {
			t.Errorf("the pile is %q now, all is %q", got, log)
		}
		if len(w.value("k")) > 60 {
			t.Errorf("the head was not settled: %q", w.value("k"))
		}
	})
}

// A pointer says of what kind the segment is.
func TestPointerNamesKind(t *testing.T) {
	for _, test := range []struct {
		head   string
		letter byte
		ok     bool
	}{
		{"", 0, true},
		{"+a ", 0, true},
		{"hello", 0, true},
		{"y", 'y', true},
		{"y ", 'y', true},
		{"y+a +b ", 'y', true},
		{"+b y+a ", 0, true},
		{"@0123456789abcdeA:1:9 y+a ", 0, true},
		{"@0123456789abcdeA:1:9:y +a ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9:y ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9 ", 0, false},
		{"@0123456789abcdeA:1:9:yy ", 0, false},
		{"@0123456789abcdeA:1:9: ", 0, false},
		{"@0123456789abcdeA:1:9:7 ", 0, false},
	} {
		h, ok := parseHead([]byte(test.head))
		if ok != test.ok || h.letter != test.letter {
			t.Errorf("%q: kind %q, %v; expected %q, %v", test.head, h.letter, ok, test.letter, test.ok)
		}
		if ok && string(h.prefix(len(h.segments))) != string(h.pointers) {
			t.Errorf("%q: the pointers are written as %q", test.head, h.prefix(len(h.segments)))
		}
	}
	w := newWorld(t)
	w.put("k", "@0123456789abcdeA:1:3:y ", 0, 0)
	w.put("k:0123456789abcdeA.0", "+a ", 0, 0)
	w.expect("scard k", "CLIENT_ERROR k does not hold a set")
}

// A token of another kind is not a member.
func TestForeignTokensMeanNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.put("k", "+a y+b h:x +c z~3 l( ", 0, 0)
		w.expect("smembers k", "VALUE k 0 3", "a c", "END")
		w.expect("sismember k a b +b y+b x", "1 0 0 0 0")
		w.expect("scompact k", "OK")
		w.holds("k", "+a +c ")
	})
}

// The laws of [Fold], for sets.
func TestLawsOfFold(t *testing.T) {
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
