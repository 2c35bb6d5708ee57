package near

import (
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/memory"
)

// Quota is the memory for the values of all caches. It is a part of the budget for requests and replies, at most a
// [quotaShare] of it.
type Quota struct {
	limit int64
	used  atomic.Int64

	mu      sync.Mutex
	account memory.Account
}

const (
	// quotaShare is the fraction of the budget that values may take.
	quotaShare = 8
	// largestShare is the fraction of that which one value may take.
	largestShare = 16
)

// NewQuota returns a part of budget.
func NewQuota(budget *memory.Budget) *Quota {
	q := &Quota{limit: budget.Limit / quotaShare}
	q.account.Budget = budget
	return q
}

// take takes n bytes, and returns false if they are not free.
func (q *Quota) take(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.used.Load()+int64(n) > q.limit || !q.account.Reserve(n) {
		return false
	}
	q.account.Take(n)
	q.used.Add(int64(n))
	return true
}

// free gives n bytes back.
func (q *Quota) free(n int) {
	if n == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.account.Free(n)
	q.used.Add(int64(-n))
}
