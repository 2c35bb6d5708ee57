package verbs

// Step is what a call does next: it asks for operations, or continues on a coroutine. The zero value
// ends the call.
//
// Nearly all calls that change a structure are one append, and many others are one round trip. They run
// without the coroutine, because switching to it and back would take longer than everything else, and
// its stack would displace other data from the processor's cache. If one round trip turns out not to
// suffice, the rest of the call runs on the coroutine.
type Step struct {
	Ops  []Op                      // carried out in one round trip, or a single [Wait]; none if Go is set or the call ends
	Then func(*Call, []Reply) Step // takes the replies to Ops, and returns the next step
	Go   func(*Call)               // continues on a coroutine; nil if there are Ops
}

// Coroutine returns the [Verb.Run] of a verb whose calls run on a coroutine from the beginning.
func Coroutine(run func(*Call)) func(*Call) Step {
	return func(*Call) Step { return Step{Go: run} }
}

// Asks returns the step that asks for ops; then takes the replies. A closure as then would be allocated
// for each call.
func (c *Call) Asks(then func(*Call, []Reply) Step, ops ...Op) Step {
	c.Ops = append(c.Ops[:0], ops...)
	return Step{Ops: c.Ops, Then: then}
}

// FewWords reports whether the words of the request are so few that they are encoded without a
// pause. Only a coroutine can pause.
func (c *Call) FewWords() bool { return len(c.Words) <= c.Pace.Slice }

// begin returns the first step of the call.
func (c *Call) begin() (next Step) {
	defer c.endPanic(&next)
	return c.verb.Run(c)
}

// take passes replies to then and returns the next step.
func (c *Call) take(then func(*Call, []Reply) Step, replies []Reply) (next Step) {
	defer c.endPanic(&next)
	return then(c, replies)
}
