package views

import "sync/atomic"

// Room is the memory that several Views share, those of all loops. It is safe for concurrent use.
type Room struct {
	limit   int64
	sharing atomic.Int64 // how many Views share it
	used    atomic.Int64
	wants   atomic.Int64 // bytes that Views below their share need
	tell    func(used int64)
}

// NewRoom returns a Room of so many bytes. No view may take more than half of it.
// Whenever the bytes in use cross a multiple of about an eighth of the room, tell is called with
// the bytes in use, on the goroutine of any loop.
func NewRoom(bytes int64, tell func(used int64)) *Room {
	return &Room{limit: bytes, tell: tell}
}

// largest returns how many bytes a view may take. A larger one would leave too little for others.
func (r *Room) largest() int64 { return r.limit / 2 }

// share returns how many bytes each of the Views is entitled to.
func (r *Room) share() int64 { return r.limit / r.sharing.Load() }

// count adds bytes to those in use.
func (r *Room) count(bytes int64) {
	step := r.limit/8 + 1
	if used := r.used.Add(bytes); used/step != (used-bytes)/step {
		r.tell(used)
	}
}
