package memory

import (
	"math/rand/v2"
	"testing"
)

// Accounts lease only a few steps more than they use, and nothing after giving
// everything back.
func TestBudget(t *testing.T) {
	b := &Budget{Limit: 256 << 20}
	accounts := []*Account{{Budget: b}, {Budget: b}}
	var sizes [2][]int
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		i := r.IntN(2)
		a, taken := accounts[i], &sizes[i]
		if n := 1 << r.IntN(20); r.IntN(2) == 0 {
			if a.Has(n) {
				a.Take(n)
				*taken = append(*taken, n)
			}
		} else if last := len(*taken) - 1; last >= 0 {
			a.Free((*taken)[last])
			*taken = (*taken)[:last]
		}
		used, leased := accounts[0].used+accounts[1].used, int(b.leased.Load())
		if leased < used || leased > used+4*b.step() {
			t.Fatalf("%d bytes are leased, and %d used", leased, used)
		}
	}
	for i, a := range accounts {
		for _, n := range sizes[i] {
			a.Free(n)
		}
		if a.used != 0 || a.leased > 2*b.step() {
			t.Errorf("%d bytes are used and %d leased when all is given back", a.used, a.leased)
		}
	}
	if accounts[0].Has(int(b.Limit) + 1) {
		t.Error("there is more than the limit")
	}
	accounts[0].Take(int(b.Limit) + 1)
	if !accounts[0].Overdrawn() || accounts[1].Has(4<<20) {
		t.Error("more is used than there is, and nobody notices")
	}
	woken := false
	b.Await(func() { woken = true })
	accounts[0].Free(int(b.Limit) + 1)
	if !woken || accounts[0].Overdrawn() {
		t.Error("who waits is not told of what was given back")
	}
}

// Loops that reserve large amounts at the same time don't exceed the budget.
func TestReservedOnce(t *testing.T) {
	b := &Budget{Limit: 256 << 20}
	first, second := &Account{Budget: b}, &Account{Budget: b}
	const most = 150 << 20
	if !first.Reserve(most) {
		t.Fatal("there is nothing, though nothing is used")
	}
	if second.Reserve(most) {
		t.Error("what another loop is about to take is promised a second time")
	}
	if first.Take(most); b.leased.Load() > b.Limit {
		t.Errorf("%d bytes are leased of %d", b.leased.Load(), b.Limit)
	}
	first.Free(most)
	if !second.Reserve(most) {
		t.Error("what was given back is not there")
	}
}
