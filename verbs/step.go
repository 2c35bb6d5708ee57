package verbs

// Step is what a call does next: it asks for operations, or goes on on a coroutine. The zero value says
// that nothing remains to be done.
//
// Nearly all calls that change a structure are one append, and many others are one round trip. They run
// without the coroutine, because switching to it and back would take longer than everything else, and
// its stack would displace other data from the processor's cache. If that turns out not to suffice,
// what is left to do starts on the coroutine.
type Step struct {
	Ops  []Op                      // to be done at once, or one [Wait]; at least one
	Then func(*Call, []Reply) Step // takes the replies to Ops, and returns what is next
	Go   func(*Call)               // goes on on a coroutine; nil if there are Ops
}

// Coroutine returns the [Verb.Run] of a verb whose calls run on a coroutine from the beginning.
func Coroutine(run func(*Call)) func(*Call) Step {
	return func(*Call) Step { return Step{Go: run} }
}

// Asks returns the step that asks for ops, to which then takes the replies. A then that is made for each
// call costs an allocation.
func (c *Call) Asks(then func(*Call, []Reply) Step, ops ...Op) Step {
	c.Ops = append(c.Ops[:0], ops...)
	return Step{Ops: c.Ops, Then: then}
}

// FewWords reports whether the request has so few words that they are encoded without a pause, which
// only a coroutine can make.
func (c *Call) FewWords() bool { return len(c.Words) <= c.Pace.Slice }

// begin returns the first step of the call.
func (c *Call) begin() (next Step) {
	defer c.endPanic(&next)
	return c.verb.Run(c)
}

// take returns the step that follows the replies to what the call has asked for.
func (c *Call) take(then func(*Call, []Reply) Step, replies []Reply) (next Step) {
	defer c.endPanic(&next)
	return then(c, replies)
}
