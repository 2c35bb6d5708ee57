package execution

import "github.com/memverbs/memverbs/proxy/admission"

// argumentRoom limits the memory of a loop for large arguments of verbs. A client whose
// verb does not fit waits before it begins: the arguments stay in its input until then,
// and are not copied and split into tokens.
type argumentRoom struct {
	admission.Queue
	core  *core
	rooms *rooms
	taken int // bytes
}

// argumentsShare is the fraction of the budget for the arguments of verbs, on all loops
// together.
const argumentsShare = 8

// Has implements [admission.Resource]. Arguments that take more than the loop's share are
// admitted when there are no others.
func (a *argumentRoom) Has(w *admission.Waiter) bool {
	share := int(a.core.Account.Budget.Limit) / argumentsShare / a.core.Loops
	return (a.taken == 0 || a.taken+w.Memory <= share) && a.rooms.has(w.Memory)
}
