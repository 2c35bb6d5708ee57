package execution

import (
	"slices"
	"testing"
)

// fairQueueOf returns a fair queue of lines that verbs with these numbers have joined in this order.
func fairQueueOf(lines ...[]uint64) *fairQueue {
	q := &fairQueue{}
	for _, numbers := range lines {
		l := &line{}
		for _, n := range numbers {
			q.add(l, &Execution{number: n})
		}
	}
	return q
}

// drain takes all, always the i-th or else the last, and returns the numbers.
func (q *fairQueue) drain(i int) (taken []uint64) {
	for q.len() > 0 {
		r, l := q.take(min(i, q.len()-1))
		q.enter(l)
		q.enter(l) // changes nothing
		taken = append(taken, r.number)
	}
	return taken
}

// Clients take turns, and of a client's verbs the oldest is next, in whatever order they have come.
func TestFairQueueTakesTurns(t *testing.T) {
	t.Parallel()
	lines := [][]uint64{{3, 1, 2}, {10}, {21, 20}}
	for i, want := range [][]uint64{{1, 10, 20, 2, 21, 3}, {10, 20, 21, 1, 2, 3}, {20, 21, 10, 1, 2, 3}} {
		if got := fairQueueOf(lines...).drain(i); !slices.Equal(got, want) {
			t.Errorf("taking turn %d: %v, expected %v", i, got, want)
		}
	}
}

// A line of which no verb is left leaves the queue. The turns of others do not change.
func TestPickedLeaveTheFairQueue(t *testing.T) {
	t.Parallel()
	even := func(r *Execution) bool { return r.number%2 == 0 }
	for _, test := range []struct {
		lines      [][]uint64
		left, next []uint64
	}{
		{[][]uint64{{1, 2, 3}, {10}, {21, 20}}, []uint64{1, 3}, []uint64{1, 10, 20, 3, 21}},
		{[][]uint64{{2, 4}, {10}, {21, 20}}, nil, []uint64{10, 20, 21}},
	} {
		q := fairQueueOf(test.lines...)
		l := q.lines[0]
		picked := q.pick(l, even)
		var left []uint64
		for _, r := range l.verbs {
			left = append(left, r.number)
		}
		if len(picked)+len(left) != len(test.lines[0]) || !slices.Equal(left, test.left) || l.queued != (len(left) > 0) {
			t.Errorf("%v: %v are left, %d picked", test.lines, left, len(picked))
		}
		if next := q.drain(0); !slices.Equal(next, test.next) {
			t.Errorf("%v: %v are next, expected %v", test.lines, next, test.next)
		}
	}
}

// A line that is kept out of its turn enters when it may, if verbs still wait in it.
func TestLineEntersLater(t *testing.T) {
	t.Parallel()
	q, l := &fairQueue{}, &line{}
	l.insert(&Execution{number: 1})
	if q.len() != 0 {
		t.Fatal("it is in the queue")
	}
	if q.enter(l); q.len() != 1 || q.at(0).number != 1 {
		t.Fatal("it is not in the queue")
	}
	q.pick(l, func(*Execution) bool { return true })
	if q.enter(l); q.len() != 0 {
		t.Error("it is in the queue though nothing waits in it")
	}
}
