package verbs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naiveSet folds a log in the plainest way.
func naiveSet(log string) (members []string, tokens int, ok bool) {
	for _, token := range strings.FieldsFunc(log, func(c rune) bool { return strings.ContainsRune(" \t\n\v\f\r", c) }) {
		if len(token) < 2 || token[0] != '+' && token[0] != '-' {
			return nil, 0, false
		}
		tokens++
		at := slices.Index(members, token[1:])
		switch {
		case token[0] == '+' && at < 0:
			members = append(members, token[1:])
		case token[0] == '-' && at >= 0:
			members = slices.Delete(members, at, at+1)
		}
	}
	return members, tokens, true
}

// compareSet reads log and compares the set with the naive one.
func compareSet(t testing.TB, s *Set, log string) {
	t.Helper()
	members, tokens, ok := naiveSet(log)
	if got := s.Read([]byte(log)); got != ok {
		t.Fatalf("%.300q: a set: %v", log, got)
	}
	if !ok {
		return
	}
	if s.Live() != len(members) || s.Dead() != tokens-len(members) {
		t.Fatalf("%.300q: %d live, %d dead; expected %d and %d", log, s.Live(), s.Dead(), len(members), tokens-len(members))
	}
	if got := string(s.AppendMembers([]byte("x"))); got != "x"+strings.Join(members, " ") {
		t.Fatalf("%.300q: members %q, expected %q", log, got, members)
	}
	for _, token := range strings.Fields(log) {
		for _, member := range []string{token, token[1:], token + "x"} {
			if got := s.Has([]byte(member)); got != slices.Contains(members, member) {
				t.Fatalf("%.300q: has %q: %v", log, member, got)
			}
		}
	}
	if s.Has(nil) {
		t.Fatalf("%.300q: has the empty member", log)
	}
	short := s.AppendLog(nil)
	if len(short) > len(log)+1 || !s.Read(short) || s.Dead() != 0 || s.Live() != len(members) {
		t.Fatalf("%.300q: compacted to %.300q", log, short)
	}
	if got := string(s.AppendMembers(nil)); got != strings.Join(members, " ") {
		t.Fatalf("%.300q: members %q after compaction, expected %q", log, got, members)
	}
}

// randomLog is a log of so many tokens that name so many members.
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

// One Set reads many logs, long and short ones in turn.
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
	if s.Live() != 0 || s.Dead() != 0 || s.Has([]byte("a")) || len(s.AppendMembers(nil)) != 0 || len(s.AppendLog(nil)) != 0 {
		t.Error("the zero set is not empty")
	}
	compareSet(t, &s, "")
	compareSet(t, &s, "-a")
}

// What a large log needed is not kept, and not cleared for every small one.
func TestSetMemory(t *testing.T) {
	var s Set
	for _, log := range []string{names(100_000, "+", " "), strings.Repeat("+a -a ", 200_000)} {
		s.Read([]byte(log))
		s.Read([]byte("+a "))
		if kept := cap(s.entries)*16 + cap(s.order)*4 + cap(s.table)*4; kept > keptScratch {
			t.Errorf("%d bytes kept", kept)
		}
	}
	log := []byte(names(5_000, "+", " "))
	s.Read(log)
	if n := testing.AllocsPerRun(100, func() { s.Read(log) }); n > 0 {
		t.Errorf("%v allocations to read a log again", n)
	}
	s.Read([]byte("+a "))
	if len(s.table) > 16 {
		t.Errorf("a table for %d entries in use for one", len(s.table))
	}
}

func FuzzSet(f *testing.F) {
	for _, log := range []string{"", "+a +b -a ", "+a\t-b\r\n+c", "+", "x", "|x", "+a |x", "++ -+ --", "+a+a -a",
		strings.Repeat("+a -a ", 20), names(40, "+", " ")} {
		f.Add([]byte(log), []byte("+a -a +b "))
	}
	var s Set
	f.Fuzz(func(t *testing.T, log, next []byte) {
		compareSet(t, &s, string(log))
		compareSet(t, &s, string(next))
	})
}
