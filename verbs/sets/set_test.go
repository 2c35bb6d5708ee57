package sets

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// naiveSet folds a log in the simplest way.
func naiveSet(log string) (members []string, tokens int, ok bool) {
	since := map[string]int{} // index of the token that made it a member
	for _, token := range strings.FieldsFunc(log, func(c rune) bool { return strings.ContainsRune(" \t\n\v\f\r", c) }) {
		if len(token) >= 2 && token[0] >= 'a' && token[0] <= 'z' && strings.ContainsRune("+-=~<>():", rune(token[1])) {
			tokens++ // a token of another kind
			continue
		}
		if len(token) < 2 || token[0] != '+' && token[0] != '-' {
			return nil, 0, false
		}
		tokens++
		if _, is := since[token[1:]]; token[0] == '-' {
			delete(since, token[1:])
		} else if !is {
			since[token[1:]] = tokens
		}
	}
	members = slices.SortedFunc(maps.Keys(since), func(a, b string) int { return since[a] - since[b] })
	return members, tokens, true
}

// compareSet folds log and compares the set with the naive one.
func compareSet(t testing.TB, s *Set, log string) {
	t.Helper()
	members, tokens, ok := naiveSet(log)
	if got := s.Read(nil, []byte(log), 0); got != ok {
		t.Fatalf("%.300q: a set: %v", log, got)
	}
	if s.Live() != len(members) || s.Dead() != tokens-len(members) {
		t.Fatalf("%.300q: %d live, %d dead; expected %d and %d", log, s.Live(), s.Dead(), len(members), tokens-len(members))
	}
	joined := strings.Join(members, " ")
	if got := string(s.AppendMembers(nil, []byte("x"))); got != "x"+joined || s.Length() != len(joined) {
		t.Fatalf("%.300q: members %.300q of %d bytes, expected %.300q", log, got, s.Length(), members)
	}
	compareHas(t, s, log, members)
	if !ok {
		return
	}
	compareNet(t, s, log)
	short := s.AppendLog(nil, nil)
	if want := plus(members); string(short) != want || !s.Read(nil, short, 0) || s.Dead() != 0 {
		t.Fatalf("%.300q: compacted to %.300q", log, short)
	}
	if got := string(s.AppendMembers(nil, nil)); got != joined {
		t.Fatalf("%.300q: members %.300q after compaction, expected %.300q", log, got, members)
	}
}

// plus returns the log that adds members.
func plus(members []string) string {
	var b strings.Builder
	for _, m := range members {
		b.WriteString("+" + m + " ")
	}
	return b.String()
}

// compareHas checks Has for every member that the log of s names, and for others.
func compareHas(t testing.TB, s *Set, log string, members []string) {
	t.Helper()
	is := map[string]bool{}
	for _, m := range members {
		is[m] = true
	}
	for _, token := range strings.Fields(log) {
		for _, member := range []string{token, token[1:], token[:len(token)-1], token + "x"} {
			if got := s.Has([]byte(member)); got != is[member] {
				t.Fatalf("%.300q: has %.300q: %v", log, member, got)
			}
		}
	}
	if s.Has(nil) {
		t.Fatalf("%.300q: has the empty member", log)
	}
}

// compareNet checks that the net log of s changes two sets as the log of s does: the
// empty set, and the set of all members. The net log must not repeat anything.
func compareNet(t testing.TB, s *Set, log string) {
	t.Helper()
	net := string(s.AppendNet(nil, nil))
	everybody := strings.NewReplacer("-", "+").Replace(log) + " +nobody "
	for _, before := range []string{"", everybody} {
		want, _, _ := naiveSet(before + log)
		if got, _, _ := naiveSet(before + net); !slices.Equal(got, want) {
			t.Fatalf("%.300q: its net %.300q makes %.300q of %.300q, expected %.300q", log, net, got, before, want)
		}
	}
	said := map[string]bool{}
	for _, token := range strings.Split(strings.TrimSuffix(net, " "), " ") {
		if said[token] {
			t.Fatalf("%.300q: its net %.300q says %.300q twice", log, net, token)
		}
		said[token] = true
	}
}

// randomLog returns a log of so many random tokens on so many members.
func randomLog(r *rand.Rand, tokens, members int) string {
	var b strings.Builder
	for range tokens {
		sign := "+"
		if r.IntN(3) == 0 {
			sign = "-"
		}
		fmt.Fprintf(&b, "%sm%d ", sign, r.IntN(members))
	}
	return b.String()
}

// A Set can fold many logs, long and short ones in turn.
func TestSetAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Set
	for range 300 {
		members := 1 + r.IntN(1<<r.IntN(9))
		compareSet(t, &s, randomLog(r, r.IntN(1+3*members), members))
	}
	compareSet(t, &s, randomLog(r, 5_000, 2_000))
	compareSet(t, &s, "+a ")
}

func TestZeroSet(t *testing.T) {
	var s Set
	if s.Live() != 0 || s.Dead() != 0 || s.Has([]byte("a")) || len(s.AppendMembers(nil, nil)) != 0 || len(s.AppendLog(nil, nil)) != 0 {
		t.Error("the zero set is not empty")
	}
	compareSet(t, &s, "")
	compareSet(t, &s, "-a")
}

func TestLogOfNoSet(t *testing.T) {
	var s Set
	compareSet(t, &s, "+a ")
	for _, log := range []string{"+", "-", "x", "ab", "|ab", "@ab", "\x00", "+a + +b", "+a b"} {
		compareSet(t, &s, log)
		compareSet(t, &s, verbtest.Names(100, "+", " ")+log)
		compareSet(t, &s, log+" "+verbtest.Names(100, "-", " "))
	}
}

// The memory for a large text, log or not, is proportional to its length. It is not
// kept, and not cleared for every small log.
func TestSetMemory(t *testing.T) {
	verbtest.Long(t)
	var s Set
	const size = 1 << 20
	for _, text := range []string{verbtest.Names(1, "+", " "), "+a -a ", "+a\n", "+a", "x ", " ", "+" + strings.Repeat("a", size)} {
		log := strings.Repeat(text, size/len(text)+1)
		s.Read(nil, []byte(log), 0)
		if took := cap(s.tokens)*tokenSize + cap(s.table)*4; took > 12*len(log) {
			t.Errorf("%.10q and so on: %d bytes for %d", log, took, len(log))
		}
		s.Read(nil, []byte("+a "), 0)
		if kept := cap(s.tokens)*tokenSize + cap(s.table)*4; kept > verbs.KeptScratch {
			t.Errorf("%d bytes kept", kept)
		}
	}
	log := []byte(verbtest.Names(5_000, "+", " "))
	s.Read(nil, log, 0)
	if n := testing.AllocsPerRun(100, func() { s.Read(nil, log, 0) }); n > 0 {
		t.Errorf("%v allocations to read a log again", n)
	}
	s.Read(nil, []byte("+a "), 0)
	if len(s.table) > 16 {
		t.Errorf("a table for %d entries in use for one", len(s.table))
	}
}

func FuzzSet(f *testing.F) {
	for _, log := range []string{"", "+a +b -a ", "+a\t-b\r\n+c", "+", "x", "|x", "+a |x", "++ -+ --", "+a+a -a",
		strings.Repeat("+a -a ", 20), verbtest.Names(40, "+", " ")} {
		f.Add([]byte(log), []byte("+a -a +b "))
	}
	var s Set
	f.Fuzz(func(t *testing.T, log, next []byte) {
		compareSet(t, &s, string(log))
		compareSet(t, &s, string(next))
	})
}
