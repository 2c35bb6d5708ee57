package execution

import "bytes"

// memcached refuses to append to an item that is full. The verb of the append then settles the item, and
// queues the append again. Meanwhile later appends of the same client to that item wait, and are not
// taken along either, so that a client's changes take effect in their order.

// setRefused notes that an append of r to the item under key was refused and has not been queued again.
// An empty key ends that.
func (r *Execution) setRefused(key []byte) {
	before := len(r.appended.refused) > 0
	r.appended.refused = append(r.appended.refused[:0], key...)
	switch after := len(r.appended.refused) > 0; {
	case after && !before:
		r.caller.refused++
	case before && !after:
		r.caller.refused--
	}
}

// overtakes reports whether an append of r to the item under key would come before an earlier one of its
// client that was refused.
func (r *Execution) overtakes(key []byte) bool {
	if r.caller.refused == 0 {
		return false
	}
	for _, e := range r.caller.executions {
		if e.number < r.number && bytes.Equal(e.appended.refused, key) {
			return true
		}
	}
	return false
}
