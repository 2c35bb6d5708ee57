package verbs

// What the tests of the package see, which are another package, as they need those that
// import this one.

// OnCoroutine reports whether the routine has ever needed its coroutine.
func (r *Routine) OnCoroutine() bool { return r.next != nil }

// KeptByCall returns how much memory a routine keeps in the buffers of its call, in bytes.
func KeptByCall(r *Routine) int { return cap(r.call.args) + cap(r.call.Answer) + cap(r.call.Buf) }
