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
func (l *loader) GrowAnswer(replies []verbs.Reply, size int) (kept []verbs.Reply, ok bool) {
	if cap(l.Answer)-len(l.Answer) >= size || len(l.Answer)+size <= l.Pace.Freely() {
		return replies, true
	}
	replies = slices.Clone(replies)
	grown := max(size, len(l.Answer)/2) // so that it is not copied with each batch
	if !l.ReserveMore(len(l.Answer) + grown + size) {
		return nil, false
	}
	for i := range replies {
		replies[i].Keep()
	}
	l.Answer = verbs.Grow(&l.Pace, l.Answer, grown)
	return replies, true
}
