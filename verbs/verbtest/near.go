package verbtest

// Near says for how long calls that only read may use what was found without asking, see [structure.Env]. The loops of one
// process share it.
type Near struct {
	Lasts    int64 // in milliseconds
	ticks    int64 // nothing happens at the same time as something else
	underWay int   // changes
	changed  int64 // when the last one has ended
}

// perMilli is how many ticks there may be in a millisecond of the clock.
const perMilli = 1 << 20

// now returns the time, given the clock.
func (n *Near) now(clock int64) int64 {
	n.ticks++
	return clock*perMilli + n.ticks
}

// begin is called before a change, end when it is over.
func (n *Near) begin() { n.underWay++ }

func (n *Near) end(clock int64) {
	n.underWay--
	n.changed = n.now(clock)
}

// recent reports whether what was asked for at a time may be used, given the clock.
func (n *Near) recent(clock, asked int64) bool {
	return n.underWay == 0 && asked > n.changed && n.now(clock) < asked+n.Lasts*perMilli
}
