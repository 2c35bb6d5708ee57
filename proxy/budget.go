package proxy

import (
	"sync"
	"sync/atomic"
)

// memoryBudget is the memory that all loops share for what comes from sockets and goes
// to them, and for what verbs do with it. It is counted, and not where it is: a
// loop that wants more asks the budget.
//
// A loop has an account. It leases memory from the budget in steps and uses of it
// what it needs, so that next to nothing is done by several loops at a time.
// Buffers are always given out, as something has to be done with what was
// received: the budget can be overdrawn, and then clients are slowed down or cut
// off. Verbs ask before (rooms.go) and are made to wait.
type memoryBudget struct {
	limit  int64
	leased atomic.Int64

	wanting atomic.Bool // somebody is in waiting
	mu      sync.Mutex
	waiting []func() // to be called when something was given back
}

// account is what one loop has of the budget, in bytes. It is not safe for
// concurrent use. A nil account counts nothing.
type account struct {
	budget *memoryBudget
	used   int
	leased int
}

// leaseSteps is how many steps the budget is leased in.
const leaseSteps = 256

func (b *memoryBudget) step() int { return int(b.limit / leaseSteps) }

// take uses n bytes, whether there are any or not.
func (a *account) take(n int) {
	if a == nil {
		return
	}
	if a.used += n; a.used > a.leased {
		a.lease(a.used - a.leased + a.budget.step())
	}
}

// has reports whether there are n bytes.
func (a *account) has(n int) bool {
	missing := a.used + n - a.leased
	return missing <= 0 || a.budget.leased.Load()+int64(missing) <= a.budget.limit
}

// reserve leases n bytes that are about to be taken, if there are as many. Two loops that
// ask at the same time are not both told so of the same bytes.
func (a *account) reserve(n int) bool {
	missing := a.used + n - a.leased
	if missing <= 0 {
		return true
	}
	for {
		leased := a.budget.leased.Load()
		if leased+int64(missing) > a.budget.limit {
			return false
		}
		if a.budget.leased.CompareAndSwap(leased, leased+int64(missing)) {
			a.leased += missing
			return true
		}
	}
}

// give gives back n bytes.
func (a *account) give(n int) {
	if a == nil {
		return
	}
	a.used -= n
	if spare := a.leased - a.used - a.budget.step(); spare > a.budget.step() {
		a.lease(-spare)
		a.budget.wake()
	}
}

func (a *account) lease(n int) {
	a.leased += n
	a.budget.leased.Add(int64(n))
}

// overdrawn reports whether more is used than there is.
func (a *account) overdrawn() bool {
	over := a.budget.leased.Load() - a.budget.limit
	return over > 0 && over > int64(a.leased-a.used) // what is only leased does not count
}

// await has fn called once when some loop has given something back. It may be
// called on that loop, and at once.
func (b *memoryBudget) await(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, fn)
	b.wanting.Store(true)
}

func (b *memoryBudget) wake() {
	if !b.wanting.Load() {
		return
	}
	b.mu.Lock()
	waiting := b.waiting
	b.waiting = nil
	b.wanting.Store(false)
	b.mu.Unlock()
	for _, fn := range waiting {
		fn()
	}
}
