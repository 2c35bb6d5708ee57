package rankings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// sortedLike fails the test if ranges and ranks are not those of want, which are all members
// and scores in order.
func (r *Ranking) sortedLike(t *testing.T, want []string, random *rand.Rand) {
	t.Helper()
	n := len(want)
	if r.Live() != n {
		t.Fatalf("%d members, expected %d", r.Live(), n)
	}
	pace := &verbs.Pace{Slice: 1 + random.IntN(3000), Pause: func() {}}
	reversed := slices.Clone(want)
	slices.Reverse(reversed)
	for range 20 {
		from := []int{0, random.IntN(n + 1), random.IntN(min(n+1, 20)), n - random.IntN(min(n+1, 20))}[random.IntN(4)]
		to := min(n, from+[]int{random.IntN(20), random.IntN(n + 1), 0, n}[random.IntN(4)])
		highest := random.IntN(2) == 0
		all := want
		if highest {
			all = reversed
		}
		var got []string
		for _, i := range r.places(pace, from, to, highest) {
			got = append(got, fmt.Sprintf("%s %d", r.entries[i].member(r.log), r.entries[i].score))
		}
		if !slices.Equal(got, all[from:to]) {
			t.Fatalf("from %d to %d of %d, the highest first %v: %.300q, expected %.300q", from, to, n, highest, got, all[from:to])
		}
		min, max := random.Int64N(120), random.Int64N(120)
		first, last := cut{score: min}, cut{score: max, after: true}
		if random.IntN(3) == 0 {
			r.arrange(pace)
		}
		got = nil
		for _, m := range want {
			if _, score, _ := strings.Cut(m, " "); number(score) >= min && number(score) <= max {
				got = append(got, m)
			}
		}
		if from, to := r.countBefore(pace, first), r.countBefore(pace, last); min <= max && !slices.Equal(got, want[from:to]) {
			t.Fatalf("the scores from %d to %d are in the places %d to %d, which have %.300q, expected %.300q", min, max, from, to, want[from:to], got)
		}
		if n == 0 {
			continue
		}
		place := random.IntN(n)
		member, _, _ := strings.Cut(all[place], " ")
		i, ok := r.find([]byte(member))
		if rank := r.rank(pace, i, highest); !ok || rank != place {
			t.Fatalf("%s has the rank %d, expected %d", member, rank, place)
		}
	}
}

// Whatever changes, ranges and ranks are those of all members sorted, whether or not these are
// kept in order.
func TestEndsStayInOrder(t *testing.T) {
	verbtest.Long(t)
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 1))
		members := []int{1, 5, 300, shortEnd + 1, 3 * longEnd}[seed%5]
		scores := []int64{2, 100, 1_000_000}[(seed+uint64(random.IntN(2)))%3]
		var log []byte
		token := func() {
			sign, member := "=+~-"[random.IntN(4)], random.IntN(members)
			switch n := random.Int64N(scores); sign {
			case signRemove:
				log = fmt.Appendf(log, "z-m%d ", member)
			case signExpire:
				log = fmt.Appendf(log, "z~%d@%d:m%d ", n, begun/1000+random.Int64N(20), member)
			default:
				log = fmt.Appendf(log, "z%c%d:m%d ", sign, n, member)
			}
		}
		for range 2 * members {
			token()
		}
		now := int64(begun)
		var r Ranking
		r.Expect(nil, 20*members)
		if !r.Read(&verbs.Pace{Slice: 1 + random.IntN(100), Pause: func() {}}, log, now) {
			t.Fatal("not read")
		}
		known := plain{}.apply(string(log), now)
		for range 6 {
			r.sortedLike(t, known.at(now), random)
			before := len(log)
			for range random.IntN(2 * members) {
				token()
			}
			now += random.Int64N(5_000)
			if !r.Extend(log, now) {
				t.Fatalf("seed %d: not extended", seed)
			}
			r.sound(t)
			known = known.apply(string(log[before:]), now)
		}
		r.sortedLike(t, known.at(now), random)
	}
}

// Members in the worst of orders are sorted in no time.
func TestSortOfUnluckyOrders(t *testing.T) {
	verbtest.Long(t)
	const n = 60_000
	for name, score := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return -i },
		"equal":      func(int) int { return 0 },
		"organ pipe": func(i int) int { return min(i, n-i) },
		"saw":        func(i int) int { return i % 100 },
	} {
		var log []byte
		for i := range n {
			log = fmt.Appendf(log, "z=%d:%d ", score(i), i)
		}
		var r Ranking
		read(t, &r, string(log), begun)
		pauses := 0
		pace := &verbs.Pace{Slice: 1000, Pause: func() { pauses++ }}
		places := r.places(pace, 0, n, false)
		if !slices.IsSortedFunc(places, r.compare) || len(places) != n {
			t.Errorf("%s: not in order", name)
		}
		if pauses < n/1000 || pauses > 60*n/1000 {
			t.Errorf("%s: %d pauses", name, pauses)
		}
	}
}

// Nobody can foresee how members are divided, and arrange them so that it takes long.
func TestDivisionsDiffer(t *testing.T) {
	var log []byte
	for i := range 10_000 {
		log = fmt.Appendf(log, "z=%d:%d ", i, i)
	}
	var r Ranking
	read(t, &r, string(log), begun)
	s := sorter{Ranking: &r}
	chosen := map[int]bool{}
	for range 100 {
		chosen[s.middle(s.members())] = true
	}
	if len(chosen) < 10 {
		t.Errorf("100 times, only %d members were chosen", len(chosen))
	}
}

// A change far from both ends, and one at an end, is cheap, and the ends are not sorted out
// again.
func TestEndsAreKept(t *testing.T) {
	const n = 100_000
	var log []byte
	for i := range n {
		log = fmt.Appendf(log, "z=%d:%d ", (i*7919)%n, i)
	}
	var r Ranking
	r.Expect(nil, 2*n)
	read(t, &r, string(log), begun)
	for i := range 1000 {
		if i > 0 {
			if _, ok := r.reach(0, 10, true); !ok {
				t.Fatalf("the highest were lost after %d changes", i)
			}
		}
		r.places(nil, 0, 10, true)
		log = fmt.Appendf(log, "z+1:%d z=%d:%d ", i, 2*n+i, 3*i)
		if !r.Extend(log, begun) {
			t.Fatal("not extended")
		}
	}
	if kept := r.Kept(); kept > foldMemory(2*n) {
		t.Errorf("it takes %d bytes", kept)
	}
}

// Once they were wanted twice, all members are in order, and stay so through some changes at a time.
func TestAllMembersInOrder(t *testing.T) {
	const n = 5_000
	var log []byte
	for i := range n {
		log = fmt.Appendf(log, "z=%d:%d ", (i*7919)%n, i)
	}
	var r Ranking
	r.Expect(nil, 4*n)
	read(t, &r, string(log), begun)
	middle := cut{score: n / 2}
	if _, ok := r.glance(middle); ok {
		t.Error("members were in order before they were sorted")
	}
	before := r.Kept()
	r.arrange(nil)
	if _, ok := r.glance(middle); ok {
		t.Error("members were in order after they were wanted once")
	}
	r.arrange(&verbs.Pace{Slice: 1000, Pause: func() {}})
	if kept := r.Kept() - before; kept < 4*n || kept > orderedSize*n {
		t.Errorf("the order of %d members takes %d bytes", n, kept)
	}
	known := plain{}.apply(string(log), begun)
	extend := func(changes int) {
		t.Helper()
		from := len(log)
		for i := range changes {
			log = fmt.Appendf(log, "z=%d:%d z-%d ", i*104_729%n, i*31%n, (i*17+5)%n)
		}
		if !r.Extend(log, begun) {
			t.Fatal("not extended")
		}
		known = known.apply(string(log[from:]), begun)
		r.sound(t)
	}
	for range 6 {
		extend(mostMoved / 3)
		if got := r.glanced(t, middle); got != countBelow(known.at(begun), n/2) {
			t.Fatalf("%d members come before", got)
		}
	}
	if got := r.all(); !slices.Equal(got, known.at(begun)) {
		t.Error("not in order after many changes")
	}
	extend(mostMoved)
	if _, ok := r.glance(middle); ok {
		t.Error("many changes were made one after another")
	}
	if got := r.all(); !slices.Equal(got, known.at(begun)) {
		t.Error("not in order after too many changes")
	}
}

// glanced returns how many members come before a cut, which must be known.
func (r *Ranking) glanced(t *testing.T, c cut) int {
	t.Helper()
	n, ok := r.glance(c)
	if !ok {
		t.Fatal("the members are not in order any more")
	}
	return n
}

// countBelow returns how many of members and scores have scores below a number.
func countBelow(all []string, below int) int {
	return len(inBounds(all, "-", fmt.Sprint(below-1)))
}
