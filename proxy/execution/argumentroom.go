package execution

import "github.com/memverbs/memverbs/proxy/admission"

// argumentRoom is the part of the memory that a loop has for large arguments of verbs.
// A client whose verb does not fit waits before it begins: the arguments stay in its
// input, and are not copied and made into tokens yet.
type argumentRoom struct {
	admission.Queue
	on    *core
	rooms *rooms
	taken int // bytes
}

// argumentsShare is the fraction of the budget for the arguments of verbs.
const argumentsShare = 8

// Has implements [admission.Resource]. Arguments that take more than the loop's share are
// let in alone.
func (a *argumentRoom) Has(w *admission.Waiter) bool {
	share := int(a.on.Account.Budget.Limit) / argumentsShare / a.on.Loops
	return (a.taken == 0 || a.taken+w.Memory <= share) && a.rooms.has(w.Memory)
}
