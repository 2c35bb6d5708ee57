package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// BatchBytes is about how many bytes of items are fetched in one round trip, since other requests
// to the upstream wait behind them.
const BatchBytes = 1 << 20

// GrowAnswer makes room in the answer for size bytes from the last replies. It may pause to
// allocate much memory, which invalidates replies; then it returns copies of them. It returns false
// if the memory is not free; then the call has dropped what it has read, as in
// [verbs.Call.Reserve].
func (e *Engine) GrowAnswer(replies []verbs.Reply, size int) (kept []verbs.Reply, ok bool) {
	if cap(e.Answer)-len(e.Answer) >= size || len(e.Answer)+size <= e.Pace.Freely() {
		return replies, true
	}
	replies = slices.Clone(replies)
	grown := max(size, len(e.Answer)/2) // so that it is not copied with each batch
	if !e.ReserveMore(len(e.Answer) + grown + size) {
		return nil, false
	}
	for i := range replies {
		replies[i].Keep()
	}
	e.Answer = verbs.Grow(&e.Pace, e.Answer, grown)
	return replies, true
}
