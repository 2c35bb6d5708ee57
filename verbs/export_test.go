package verbs

// These functions are for the tests, which are in package verbs_test because they use
// packages that import this one.

// OnCoroutine reports whether the routine has ever needed its coroutine.
func (r *Routine) OnCoroutine() bool { return r.next != nil }

// KeptByCall returns how much memory a routine keeps in the buffers of its call, in bytes.
func KeptByCall(r *Routine) int { return cap(r.call.copied) + cap(r.call.Answer) + cap(r.call.Buf) }
