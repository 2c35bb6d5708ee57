package memory

import (
	"sync"
	"sync/atomic"
)

// Budget is how much memory all loops may use together for what comes from sockets and
// goes to them, and for what verbs do with it. It counts bytes, and holds none.
//
// Each loop has an [Account]. It leases memory from the budget in steps and uses of
// that what it needs, so that loops seldom have to do with each other.
// Buffers are always given out, as something has to be done with what was
// received: the budget can be overdrawn, and then clients have to be slowed down or cut
// off. Who can wait asks before.
type Budget struct {
	Limit  int64 // in bytes; not to be changed once the budget is in use
	leased atomic.Int64

	wanting atomic.Bool // somebody is in waiting
	mu      sync.Mutex
	waiting []func() // to be called when something was given back
}

// Account is what one loop has of the budget, in bytes. It is not safe for
// concurrent use. A nil account counts nothing.
type Account struct {
	Budget *Budget
	used   int
	leased int
}

// Used returns how many bytes are used.
func (a *Account) Used() int { return a.used }

// leaseSteps is how many steps the budget is leased in.
const leaseSteps = 256

func (b *Budget) step() int { return int(b.Limit / leaseSteps) }

// Take uses n bytes, whether there are any or not.
func (a *Account) Take(n int) {
	if a == nil {
		return
	}
	if a.used += n; a.used > a.leased {
		a.lease(a.used - a.leased + a.Budget.step())
	}
}

// Has reports whether there are n bytes.
func (a *Account) Has(n int) bool {
	missing := a.used + n - a.leased
	return missing <= 0 || a.Budget.leased.Load()+int64(missing) <= a.Budget.Limit
}

// Reserve leases n bytes that are about to be taken, if there are as many. Two loops that
// ask at the same time are not both told so of the same bytes.
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

// Give gives back n bytes.
func (a *Account) Give(n int) {
	if a == nil {
		return
	}
	a.used -= n
	if spare := a.leased - a.used - a.Budget.step(); spare > a.Budget.step() {
		a.lease(-spare)
		a.Budget.wake()
	}
}

func (a *Account) lease(n int) {
	a.leased += n
	a.Budget.leased.Add(int64(n))
}

// Overdrawn reports whether more is used than there is.
func (a *Account) Overdrawn() bool {
	over := a.Budget.leased.Load() - a.Budget.Limit
	return over > 0 && over > int64(a.leased-a.used) // what is only leased does not count
}

// Await has fn called once when some loop has given something back. It may be
// called on that loop, and at once.
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
