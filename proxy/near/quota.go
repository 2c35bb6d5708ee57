package near

import (
	"sync"

	"github.com/memverbs/memverbs/proxy/memory"
)

// Quota is the memory for the values of all caches. It is a part of the budget for requests and replies, at most a
// [quotaShare] of it.
type Quota struct {
	mu   sync.Mutex
	part memory.Quota
}

const (
	// quotaShare is the fraction of the budget that values may take.
	quotaShare = 8
	// largestShare is the fraction of that which one value may take.
	largestShare = 16
)

// NewQuota returns a part of budget.
func NewQuota(budget *memory.Budget) *Quota {
	return &Quota{part: memory.NewQuota(budget, quotaShare)}
}

// take takes n bytes, and returns false if they are not free.
func (q *Quota) take(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.part.Take(n)
}

// free gives n bytes back.
func (q *Quota) free(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.part.Free(n)
}
