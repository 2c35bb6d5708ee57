package rankings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// oneOfMany returns member i of a large ranking, and its score, which it shares with many
// others.
func oneOfMany(i int) (member string, score int) { return fmt.Sprintf("m%06d", i), i * 7919 % 10_007 }

// manyRanked returns a world with a view of a ranking of many members, and the members in
// order, the lowest scores first.
func manyRanked(t *testing.T) (w *verbtest.World, sorted []string) {
	const members = 200_000
	var log []byte
	all := make([]int, members)
	for i := range all {
		member, score := oneOfMany(i)
		log, all[i] = fmt.Appendf(log, "z=%d:%s ", score, member), i
	}
	slices.SortFunc(all, func(a, b int) int {
		return cmp.Or(cmp.Compare(a*7919%10_007, b*7919%10_007), cmp.Compare(a, b))
	})
	for _, i := range all {
		member, _ := oneOfMany(i)
		sorted = append(sorted, member)
	}
	w = eager(t)
	w.Limit = 1 << 26
	w.Put("k", string(log), 0, 0)
	w.Expect("zrem k nobody", "STORED") // which lays it out in segments
	return w, sorted
}

// The best of many members are told without looking at the others, once the view is made and they
// are sorted out. That pauses, so that others need not wait, and so does reading pages of all of
// them, in which members of the same score are in order.
func TestBestOfLargeRanking(t *testing.T) {
	verbtest.Long(t)
	w, sorted := manyRanked(t)
	pauses := 0
	pace := &w.Client.Routine.Inside().Pace
	pause := pace.Pause
	pace.Pause = func() { pauses++; pause() }
	atLeast := func(request string, n int) string {
		t.Helper()
		pauses = 0
		answer := w.Send(request)
		if pauses < n {
			t.Errorf("%s: %d pauses, expected %d", request, pauses, n)
		}
		return answer
	}
	all := len(sorted) / verbs.SliceTokens
	atLeast("zcard k", all)
	atLeast("zrevrange k 0 10", 2*all) // to gather them all, and to divide them

	pace.Slice = 10 // so that whoever looks at more than ten members at once pauses
	last := slices.Clone(sorted[len(sorted)-10:])
	slices.Reverse(last)
	best := strings.Join(last, " ")
	for range 3 {
		pauses = 0
		w.Expect("zrevrange k 0 10", fmt.Sprintf("VALUE k 0 %d", len(best)), best, "END")
		w.Expect("zrevrank k "+last[7], "7")
		if pauses > 0 {
			t.Errorf("the best ten of many take %d pauses", pauses)
		}
		w.Expect("zsub k 0 m000001 noreply", "STORED")
	}

	pace.Slice = verbs.SliceTokens
	const page = 50_000
	for from := 0; from < len(sorted); from += page {
		answer := verbtest.Lines(atLeast(fmt.Sprintf("zrange k %d %d", from, page), all))
		if got := strings.Fields(answer[1]); !slices.Equal(got, sorted[from:from+page]) {
			t.Fatalf("from %d on there are %d members, not in order", from, len(got))
		}
	}
}
