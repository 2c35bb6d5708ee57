package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// numbered returns a queue of tasks that are due at the same time, whose puts and ids are numbers.
func numbered(t testing.TB, numbers []int) *Queue {
	t.Helper()
	var log []byte
	for _, n := range numbers {
		log = appendPut(log, 5, fmt.Appendf(nil, "%016d", n), strconv.AppendInt(nil, int64(n), 10))
	}
	var q Queue
	read(t, &q, string(log))
	return &q
}

// upTo returns the numbers from 0 to n-1.
func upTo(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i)
	}
	return numbers
}

// offerIn returns the offer of a queue whose tasks are all due.
func offerIn(q *Queue, contended bool) *offer {
	return &offer{q: q, fewest: mostAttempts, rest: q.ordered(nil), now: begun, contended: contended, random: rand.New(rand.NewPCG(1, 2)).IntN}
}

// claimOf returns the numbers of the tasks that a call claims which wants so many.
func claimOf(o *offer, want int) (numbers []int) {
	all := claims{wanted: wanted{count: want, most: mostAttempts}}
	all.append(nil, o)
	for _, of := range all.list {
		n, _ := strconv.Atoi(string(of.put))
		numbers = append(numbers, n)
	}
	return numbers
}

// Calls that append together get the tasks in order, and none that another of them has or changes.
func TestOfferInOrder(t *testing.T) {
	o := offerIn(numbered(t, upTo(10)), false)
	o.withhold(fmt.Appendf(nil, "%016d", 2))
	var got []int
	for _, want := range []int{1, 3, 2, 9, 1} {
		got = append(got, claimOf(o, want)...)
	}
	if !slices.Equal(got, []int{0, 1, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("claimed %v", got)
	}
}

// Where others take what a loop claims, of any two claims in a row, in whatever calls and batches, one
// is of the oldest task, and the other is one of the oldest few.
func TestEverySecondClaimIsOfTheOldest(t *testing.T) {
	const tasks, rounds = 60, 100
	r := rand.New(rand.NewPCG(3, 4))
	others := 0
	for range rounds {
		left, inOrder := upTo(tasks), false
		for len(left) > 0 {
			o := offerIn(numbered(t, left), true)
			o.random, o.inOrder = r.IntN, inOrder
			for range 1 + r.IntN(3) {
				for _, n := range claimOf(o, 1+r.IntN(3)) {
					place := slices.Index(left, n)
					if place < 0 || place >= leastSpread || place > 0 && !inOrder {
						t.Fatalf("of %v, %d is claimed, and the one before was the oldest: %v", left, n, inOrder)
					}
					if inOrder = place == 0; !inOrder {
						others++
					}
					left = slices.Delete(left, place, place+1)
				}
			}
		}
	}
	if others < rounds*tasks/3 {
		t.Errorf("%d claims of %d are not of the oldest", others, rounds*tasks)
	}
}

// Loops of several proxies choose from the same queue, and the first in the log has what several have chosen. Until a loop has
// lost a task so, it chooses the oldest; afterwards the oldest at least every second time, so that no task is passed over
// more than once by any loop once it is the oldest.
func TestOrderOfSeveralLoops(t *testing.T) {
	const tasks, rounds = 60, 50
	type loop struct {
		inOrder, contended bool
		passed             int // how often it has chosen another task since the oldest is the oldest
	}
	r := rand.New(rand.NewPCG(5, 6))
	random := 0
	for range rounds {
		left, loops := upTo(tasks), make([]loop, 2+r.IntN(3))
		for len(left) > 0 {
			oldest, taken := left[0], map[int]bool{}
			for _, i := range r.Perm(len(loops))[:1+r.IntN(len(loops))] {
				l := &loops[i]
				o := offerIn(numbered(t, left), l.contended)
				o.random, o.inOrder = r.IntN, l.inOrder
				n := claimOf(o, 1)[0]
				if n != oldest {
					if l.passed++; !l.contended || l.passed > 1 {
						t.Fatalf("of %v, %d is claimed by %+v", left, n, *l)
					}
					random++
				}
				l.inOrder, l.contended = o.inOrder, l.contended || taken[n]
				taken[n] = true
			}
			left = slices.DeleteFunc(left, func(n int) bool { return taken[n] })
			if taken[oldest] {
				for i := range loops {
					loops[i].passed = 0
				}
			}
		}
	}
	if random < rounds*tasks/10 {
		t.Errorf("only %d claims were at random", random)
	}
}

// A call that wants many chooses among more of them.
func TestWideOffer(t *testing.T) {
	const want = 100
	got := claimOf(offerIn(numbered(t, upTo(10*want)), true), want)
	if last := slices.Max(got); len(got) != want || last < 2*want || last > 5*want {
		t.Errorf("claimed %d, up to %d", len(got), last)
	}
}
