package holding

import "github.com/memverbs/memverbs/proxy/memory"

// quota is the memory for a table. It is a part of the budget for requests and replies.
type quota struct {
	account memory.Account
	limit   int
}

const (
	// quotaShare is the fraction of the budget that a table may take.
	quotaShare = 16
	// makingSize, toldSize and waitSize are about how much memory these take, in bytes, with the requests of those who wait.
	makingSize = 400
	toldSize   = 120
	waitSize   = 800
)

// take takes n bytes, and returns false if they are not free.
func (q *quota) take(n int) bool {
	if q.account.Used()+n > q.limit || !q.account.Reserve(n) {
		return false
	}
	q.account.Take(n)
	return true
}
