package views

import "sync/atomic"

// Quota is the memory that several Views share, those of all loops. It is safe for concurrent use.
type Quota struct {
	limit   int64
	sharing atomic.Int64 // how many Views share it
	used    atomic.Int64
	wants   atomic.Int64 // bytes that Views below their share need
	tell    func(used int64)
}

// NewQuota returns one of so many bytes. No view may take more than half of it.
// Whenever the bytes in use cross a multiple of about an eighth of the quota, tell is called with
// the bytes in use, on the goroutine of any loop.
func NewQuota(bytes int64, tell func(used int64)) *Quota {
	return &Quota{limit: bytes, tell: tell}
}

// largest returns how many bytes a view may take. A larger one would leave too little for others.
func (q *Quota) largest() int64 { return q.limit / 2 }

// share returns how many bytes each of the Views is entitled to.
func (q *Quota) share() int64 { return q.limit / q.sharing.Load() }

// count adds bytes to those in use.
func (q *Quota) count(bytes int64) {
	step := q.limit/8 + 1
	if used := q.used.Add(bytes); used/step != (used-bytes)/step {
		q.tell(used)
	}
}
