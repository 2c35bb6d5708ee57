package sets

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// What is written of a set after some members were dropped is what would be if their removals had been appended.
func TestDrop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tokens := func(n int) (log string) {
		for range random.IntN(n) {
			log += oneOf(random, "+", "+", "-") + oneOf(random, "a", "b", "c", "d") + " "
		}
		return log
	}
	for range 5000 {
		before, log := tokens(6), tokens(12)
		var dropped, appended Set
		if !dropped.Read(nil, []byte(log), 0) {
			t.Fatalf("%q is no log", log)
		}
		removals := ""
		for i, member := dropped.Next(0); member != nil; i, member = dropped.Next(i + 1) {
			if random.IntN(2) == 0 {
				removals += fmt.Sprintf("-%s ", member)
				dropped.Drop(i)
			}
		}
		appended.Read(nil, []byte(log+removals), 0)
		if got, want := string(dropped.AppendLog(nil, nil)), string(appended.AppendLog(nil, nil)); got != want || dropped.Live() != appended.Live() || dropped.Length() != appended.Length() {
			t.Fatalf("%q without %q is written as %q, and %q if that is appended", log, removals, got, want)
		}
		after := func(s *Set) string {
			var whole Set
			whole.Read(nil, s.AppendNet(nil, []byte(before)), 0)
			return string(whole.AppendMembers(nil, nil))
		}
		var whole Set
		whole.Read(nil, []byte(before+log+removals), 0)
		if got, want := after(&dropped), string(whole.AppendMembers(nil, nil)); got != want {
			t.Fatalf("after %q, %q without %q leaves %q, expected %q", before, log, removals, got, want)
		}
	}
}

func oneOf(random *rand.Rand, list ...string) string { return list[random.IntN(len(list))] }
