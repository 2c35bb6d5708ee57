package holding

import "github.com/memverbs/memverbs/proxy/memory"

// room is the memory for a table. It is a part of the budget for requests and replies.
type room struct {
	account memory.Account
	limit   int
}

const (
	// roomShare is the fraction of the budget that a table may take.
	roomShare = 16
	// makingSize, toldSize and waitSize are about how much memory these take, in bytes, with the requests of those who wait.
	makingSize = 400
	toldSize   = 120
	waitSize   = 800
)

// take takes n bytes, and returns false if they are not free.
func (r *room) take(n int) bool {
	if r.account.Used()+n > r.limit || !r.account.Reserve(n) {
		return false
	}
	r.account.Take(n)
	return true
}
