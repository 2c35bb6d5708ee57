package execution

// Some verbs are carried out by several executions, one after another, or wait before the first: those on keys in namespaces
// (spaced.go), and on structures that may be at a former place (displaced.go).

// wraps notes that such a verb of c begins, whose request takes so many bytes.
func (x *Executor) wraps(c *Caller, bytes int) {
	x.Account.Take(bytes)
	x.running++
	x.Work.begins()
	c.wrapped++
}

// unwraps notes that it is about to be answered.
func (x *Executor) unwraps(c *Caller, bytes int) {
	c.wrapped--
	x.running--
	x.Work.ends()
	x.Account.Free(bytes)
}
