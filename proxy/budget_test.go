package proxy

import (
	"math/rand/v2"
	"testing"
)

// What accounts lease of a budget is what they use, but for some steps, and nothing
// when all is given back.
func TestBudget(t *testing.T) {
	b := &memoryBudget{limit: 256 << 20}
	accounts := []*account{{budget: b}, {budget: b}}
	var sizes [2][]int
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		i := r.IntN(2)
		a, taken := accounts[i], &sizes[i]
		if n := 1 << r.IntN(20); r.IntN(2) == 0 {
			if a.has(n) {
				a.take(n)
				*taken = append(*taken, n)
			}
		} else if last := len(*taken) - 1; last >= 0 {
			a.give((*taken)[last])
			*taken = (*taken)[:last]
		}
		used, leased := accounts[0].used+accounts[1].used, int(b.leased.Load())
		if leased < used || leased > used+4*b.step() {
			t.Fatalf("%d bytes are leased, and %d used", leased, used)
		}
	}
	for i, a := range accounts {
		for _, n := range sizes[i] {
			a.give(n)
		}
		if a.used != 0 || a.leased > 2*b.step() {
			t.Errorf("%d bytes are used and %d leased when all is given back", a.used, a.leased)
		}
	}
	if accounts[0].has(int(b.limit) + 1) {
		t.Error("there is more than the limit")
	}
	accounts[0].take(int(b.limit) + 1)
	if !accounts[0].overdrawn() || accounts[1].has(4<<20) {
		t.Error("more is used than there is, and nobody notices")
	}
	woken := false
	b.await(func() { woken = true })
	accounts[0].give(int(b.limit) + 1)
	if !woken || accounts[0].overdrawn() {
		t.Error("who waits is not told of what was given back")
	}
}

// Loops that ask for large amounts at the same time do not get more than there is.
func TestReservedOnce(t *testing.T) {
	b := &memoryBudget{limit: 256 << 20}
	first, second := &account{budget: b}, &account{budget: b}
	const most = 150 << 20
	if !first.reserve(most) {
		t.Fatal("there is nothing, though nothing is used")
	}
	if second.reserve(most) {
		t.Error("what another loop is about to take is promised a second time")
	}
	if first.take(most); b.leased.Load() > b.limit {
		t.Errorf("%d bytes are leased of %d", b.leased.Load(), b.limit)
	}
	first.give(most)
	if !second.reserve(most) {
		t.Error("what was given back is not there")
	}
}
