package memory

// Quota is a part of a budget for one purpose, which never overdraws it.
type Quota struct {
	Account
	Limit int // in bytes
}

// NewQuota returns one of so many parts of budget.
func NewQuota(budget *Budget, parts int64) Quota {
	return Quota{Account{Budget: budget}, int(budget.Limit / parts)}
}

// Take takes n bytes, and returns false if they are not free.
func (q *Quota) Take(n int) bool {
	if q.Used()+n > q.Limit || !q.Reserve(n) {
		return false
	}
	q.Account.Take(n)
	return true
}
