package near

import (
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/memory"
)

// Room is the memory for the values of all caches. It is a part of the budget for requests and replies, at most a
// [roomShare] of it.
type Room struct {
	limit int64
	used  atomic.Int64

	mu      sync.Mutex
	account memory.Account
}

const (
	// roomShare is the fraction of the budget that values may take.
	roomShare = 8
	// largestShare is the fraction of that which one value may take.
	largestShare = 16
)

// NewRoom returns a part of budget.
func NewRoom(budget *memory.Budget) *Room {
	r := &Room{limit: budget.Limit / roomShare}
	r.account.Budget = budget
	return r
}

// take takes n bytes, and returns false if they are not free.
func (r *Room) take(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used.Load()+int64(n) > r.limit || !r.account.Reserve(n) {
		return false
	}
	r.account.Take(n)
	r.used.Add(int64(n))
	return true
}

// free gives n bytes back.
func (r *Room) free(n int) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.account.Free(n)
	r.used.Add(int64(-n))
}
