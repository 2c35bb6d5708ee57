package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// BatchBytes is about how many bytes of items are fetched in one round trip, since others'
// requests to the upstream wait for them.
const BatchBytes = 1 << 20

// GrowAnswer makes room in the answer for what it gets of the last replies, so many bytes. To
// allocate much memory lets other requests run, so it returns the replies copied then. It returns
// false if the memory is not free; then the call has dropped what it has read, as in
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
