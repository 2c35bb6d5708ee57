package memory

import (
	"sync"
	"sync/atomic"
)

// Budget is the limit of the memory that all loops together use for data from and to
// sockets and for verbs. It only counts bytes.
//
// Each loop has an [Account], which leases bytes from the budget in large steps, so that loops
// rarely contend for the budget. A buffer is never refused, because received data must go
// somewhere: the budget can be overdrawn, and then clients have to be slowed down or disconnected.
// Code that can wait calls Has or Reserve first.
type Budget struct {
	Limit  int64 // in bytes; must not change once the budget is in use
	leased atomic.Int64

	wanting atomic.Bool // waiting is not empty
	mu      sync.Mutex
	waiting []func() // to be called when bytes have been returned
}

// Account is one loop's part of the budget, in bytes. It is not safe for concurrent
// use. A nil Account counts nothing.
type Account struct {
	Budget *Budget
	used   int
	leased int
}

// Used returns how many bytes are in use.
func (a *Account) Used() int { return a.used }

// leaseSteps is the number of steps that make up the budget.
const leaseSteps = 256

func (b *Budget) step() int { return int(b.Limit / leaseSteps) }

// Take counts n bytes as used, even if they overdraw the budget.
func (a *Account) Take(n int) {
	if a == nil {
		return
	}
	if a.used += n; a.used > a.leased {
		a.lease(a.used - a.leased + a.Budget.step())
	}
}

// Has reports whether n bytes are free.
func (a *Account) Has(n int) bool {
	missing := a.used + n - a.leased
	return missing <= 0 || a.Budget.leased.Load()+int64(missing) <= a.Budget.Limit
}

// Reserve leases n bytes that are about to be taken, and returns false if they are not
// free. Unlike with Has, two loops can't get the same bytes.
func (a *Account) Reserve(n int) bool {
	missing := a.used + n - a.leased
	if missing <= 0 {
		return true
	}
	for {
		leased := a.Budget.leased.Load()
		if leased+int64(missing) > a.Budget.Limit {
			return false
		}
		if a.Budget.leased.CompareAndSwap(leased, leased+int64(missing)) {
			a.leased += missing
			return true
		}
	}
}

// Free counts n bytes as no longer used.
func (a *Account) Free(n int) {
	if a == nil {
		return
	}
	a.used -= n
	if spare := a.leased - a.used - a.Budget.step(); spare > a.Budget.step() {
		a.lease(-spare)
		a.Budget.wake()
	}
}

// Recount counts now bytes in place of those counted before, and notes that in counted.
func (a *Account) Recount(counted *int, now int) {
	if n := now - *counted; n > 0 {
		a.Take(n)
	} else if n < 0 {
		a.Free(-n)
	}
	*counted = now
}

func (a *Account) lease(n int) {
	a.leased += n
	a.Budget.leased.Add(int64(n))
}

// Overdrawn reports whether more bytes are in use than the budget has.
func (a *Account) Overdrawn() bool {
	over := a.Budget.leased.Load() - a.Budget.Limit
	return over > 0 && over > int64(a.leased-a.used) // bytes leased but not used don't count
}

// Await calls fn once, when a loop has returned bytes to the budget, on that loop,
// possibly before Await returns.
func (b *Budget) Await(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, fn)
	b.wanting.Store(true)
}

func (b *Budget) wake() {
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
