package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Tasks that were taken often enough are left alone, however old they are, and stay in the list.
func TestMost(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", fmt.Sprintf("t(%d.2.0.%s:%s:a t(%[1]d.1.0.%[2]s:%[4]s:b t=%d:%s:c ", past, nonceName(0), nameA, nameB, past+1, nameC), 0, 0)
		for i, item := range items {
			w.Put(item, string(rune('a'+i)), 7, 0)
		}
		w.Expect("tasklen k", "3")
		if ids, _ := take(w, "tasktake k 5 9 most 1"); !slices.Equal(ids, []string{"c"}) {
			t.Errorf("took %q", ids)
		}
		w.Expect("tasktake k 5 most 1", "END")
		if ids, _ := take(w, "tasktake k 5 9 most 2"); !slices.Equal(ids, []string{"b"}) {
			t.Errorf("took %q", ids)
		}
		w.Clock += 5000
		if ids, _ := take(w, "tasktake k 5 most 2"); !slices.Equal(ids, []string{"c"}) {
			t.Errorf("took %q", ids)
		}
		w.Expect("tasktake k 5 9 most 2", "END")
		if ids, _ := take(w, "tasktake k 5 9 most 3"); !slices.Equal(ids, []string{"a", "b"}) {
			t.Errorf("took %q", ids)
		}
		w.Expect("tasklen k", "3")
	})
}

// Where others take what a loop claims, of any two claims in a row one is of the oldest task that the call may take, and
// the other is one of the oldest few of these.
func TestEverySecondClaimOfFewIsOfTheOldest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		left, inOrder := upTo(60), false
		q := numbered(t, left)
		for i := range q.tasks {
			q.tasks[i].attempts = uint32(i % 3)
		}
		o := offerIn(q, true)
		o.random = r.IntN
		for len(left) > 0 {
			most := uint32(1 + r.IntN(4))
			may := slices.DeleteFunc(slices.Clone(left), func(n int) bool { return uint32(n%3) >= most })
			all := claims{wanted: wanted{count: 1, most: most}}
			all.append(nil, o)
			if len(may) == 0 && len(all.list) == 0 {
				continue
			}
			var n int
			for _, of := range all.list {
				n, _ = strconv.Atoi(string(of.put))
			}
			place := slices.Index(may, n)
			if place < 0 || place >= leastSpread || place > 0 && !inOrder {
				t.Fatalf("of %v, %d is claimed, and the one before was the oldest: %v", may, n, inOrder)
			}
			inOrder = place == 0
			left = slices.DeleteFunc(left, func(other int) bool { return other == n })
		}
	}
}

// A call that may take none of the tasks that are due learns that nothing is due; one that others of its batch have left
// nothing does not.
func TestNothingIsDue(t *testing.T) {
	q := numbered(t, upTo(4))
	for i := range q.tasks {
		q.tasks[i].attempts = 2
	}
	o := offerIn(q, false)
	for _, test := range []struct {
		wanted
		claimed int
		nothing bool
	}{
		{wanted{count: 3, most: 1}, 0, true},
		{wanted{count: 3, most: 3}, 3, false},
		{wanted{count: 3, most: 2}, 0, true},
		{wanted{count: 3, most: mostAttempts}, 1, false},
		{wanted{count: 3, most: 3}, 0, false},
		{wanted{count: 3, most: 2}, 0, true},
	} {
		all := claims{wanted: test.wanted}
		all.append(nil, o)
		if len(all.list) != test.claimed || all.nothing != test.nothing {
			t.Errorf("%+v: %d claimed, nothing: %v", test, len(all.list), all.nothing)
		}
	}
}
