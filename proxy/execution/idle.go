package execution

// idle has the executions of an executor that run no verb, for reuse. The buffers that their routines
// keep count as memory of the loop, also after they run again.
type idle struct {
	core    *core
	list    []*Execution
	kept    int // memory of their routines, in bytes
	carried int // memory that running routines had kept when they began, in bytes
}

// maxIdle is how many idle routines a loop keeps.
const maxIdle = 1024

// carriedShare limits what running routines have kept from before. A routine keeps its buffers when it
// runs again, even if the new verb does not need them, and verbs that wait for memory can't have them.
// So a routine that begins again frees buffers of more than keepLittle bytes if otherwise the running
// routines of all loops would have kept more than this fraction of the budget.
const carriedShare = 32

// An idle routine frees buffers of more than keepMuch bytes, or of more than keepLittle
// if the idle routines of the loop would keep more than maxKept bytes together.
const (
	maxKept    = 16 << 20
	keepMuch   = 1 << 20
	keepLittle = 1 << 10
)

// take returns an idle execution to begin again, nil if there is none.
func (i *idle) take() *Execution {
	n := len(i.list)
	if n == 0 {
		return nil
	}
	r := i.list[n-1]
	i.list = i.list[:n-1]
	if i.carried+r.kept > int(i.core.Account.Budget.Limit)/carriedShare/i.core.Loops {
		i.trim(r)
	}
	i.kept -= r.kept
	i.carried += r.kept
	return r
}

// keep keeps r for a later verb.
func (i *idle) keep(r *Execution) {
	i.endCarrying(r)
	if len(i.list) == maxIdle {
		r.routine.Close()
		return
	}
	r.routine.Trim(keepMuch)
	if r.kept = r.routine.Kept(); i.kept+r.kept > maxKept {
		r.routine.Trim(keepLittle)
		r.kept = r.routine.Kept()
	}
	i.countKept(r.kept)
	i.list = append(i.list, r)
}

// endCarrying stops counting what r had kept when it began, since r has freed that or is about to.
func (i *idle) endCarrying(r *Execution) {
	i.carried -= r.kept
	i.core.Account.Free(r.kept)
	r.kept = 0
}

// trim frees the large buffers of an idle routine.
func (i *idle) trim(r *Execution) {
	r.routine.Trim(keepLittle)
	before := r.kept
	r.kept = r.routine.Kept()
	i.countKept(r.kept - before)
}

// close ends the idle routines.
func (i *idle) close() {
	for _, r := range i.list {
		r.routine.Close()
	}
	i.list = nil
	i.countKept(-i.kept)
}

// countKept adds n to the bytes that idle routines keep.
func (i *idle) countKept(n int) {
	i.core.Account.Recount(&i.kept, i.kept+n)
}

// shed frees memory kept for reuse, because memory is short.
func (i *idle) shed() {
	if i.kept < keepMuch {
		return
	}
	for _, r := range i.list {
		i.trim(r)
	}
}
