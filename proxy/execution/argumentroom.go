package execution

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// argumentRoom is the part of the memory that a loop has for large arguments of verbs.
// A client whose verb does not fit waits before it begins: the arguments stay in its
// input, and are not copied and made into tokens yet.
type argumentRoom struct {
	admission.Queue
	on    *Executor
	taken int // bytes
}

// argumentsShare is which part of the budget is for the arguments of verbs.
const argumentsShare = 8

// Has implements [admission.Resource]. Arguments that take more than the loop's share are
// let in alone.
func (a *argumentRoom) Has(w *admission.Waiter) bool {
	share := int(a.on.Account.Budget.Limit) / argumentsShare / a.on.Loops
	return (a.taken == 0 || a.taken+w.Memory <= share) && a.on.rooms.has(w.Memory)
}

// Admits reports whether the verb that req is can begin, as far as its arguments and the
// verbs under way for the owner of its first key are concerned. If not, w waits. What is
// refused anyway begins at once: arguments that take more than any request may have, or a
// verb without a key, which has no owner.
func (x *Executor) Admits(w *admission.Waiter, req *protocol.Request, owner *pool.Member) bool {
	w.Memory = 0
	if req.Verb != nil {
		w.Memory = verbs.ArgumentsRoom(len(req.Words) + len(req.Data))
	}
	if w.Memory > 0 && w.Memory <= x.rooms.most() {
		x.Clock.Start() // other loops may free memory, which is looked at with each tick
		if !x.arguments.Admits(w) {
			return false
		}
	}
	return owner == nil || owner.Verbs.Admits(w)
}
