package execution

import (
	"fmt"

	"github.com/memverbs/memverbs/proxy/admission"
)

// argumentMemory limits the memory of a loop for large arguments of verbs. A verb whose arguments do
// not fit waits before it begins: until then they stay in the client's input, and are not copied
// and split into tokens.
type argumentMemory struct {
	admission.Queue
	core         *core
	reservations *reservations
	taken        int    // bytes of the arguments of all verbs that are not waiting for memory
	since        uint32 // the tick at which the first began to wait, or the last was admitted

	retired bool // see Executor.Retire
}

const (
	// argumentsShare is the fraction of the budget for the arguments of verbs, on all loops
	// together.
	argumentsShare = 8
	// freedShare is the fraction of the budget that is freed when waiting requests have
	// filled it: verbs need more memory once they have begun.
	freedShare = 4
)

// Has implements [admission.Resource]. Arguments that take more than the loop's share are
// admitted when there are no others.
func (a *argumentMemory) Has(w *admission.Waiter) bool {
	if a.retired {
		return true
	}
	share := int(a.core.Account.Budget.Limit) / argumentsShare / a.core.Loops
	return (a.taken == 0 || a.taken+w.Memory <= share) && a.reservations.canHave(w.Memory)
}

// add counts the arguments of a verb that begins, or no longer waits for memory.
func (a *argumentMemory) add(r *Execution) { a.taken += r.reserved.arguments }

// remove stops counting the arguments of r.
func (a *argumentMemory) remove(r *Execution) { a.taken -= r.reserved.arguments }

// admits is Admits of [admission.Queue].
func (a *argumentMemory) admits(w *admission.Waiter) bool {
	a.core.Clock.Start() // other loops may free memory, so onTick tries again
	waited := a.Len() > 0
	admitted := a.Admits(w)
	if admitted || !waited {
		a.since = a.core.Clock.Ticks
	}
	return admitted
}

// onTick refuses waiting requests if none was admitted within the time-out although no running verb
// has arguments. Then the waiting requests themselves may take the memory, and none of them would
// ever be served. It reports whether any wait.
func (a *argumentMemory) onTick() bool {
	if a.Len() == 0 {
		return false
	}
	a.core.RelieveVerbs()
	if timeout := a.core.Timeout; a.taken == 0 && a.core.Clock.Passed(a.since+a.core.Clock.Span(timeout)) {
		a.Refuse(fmt.Sprintf("SERVER_ERROR too many large requests wait: no memory was free within %v; try again, or raise --buffer-memory", timeout), func() bool {
			return a.reservations.canHave(int(a.core.Account.Budget.Limit) / freedShare)
		})
		a.since = a.core.Clock.Ticks
	}
	return a.Len() > 0
}
