package verbs

import "slices"

// rewrite deals with a set that could not be appended to. It makes room by
// swapping a shorter log in, if there is one, or finds that the set is full. It
// reports whether the client has been told the outcome; if not, the change is
// to be tried again.
func (c *Call) rewrite(tokens []byte) bool {
	if c.packed && c.isFull() {
		return true
	}
	r := c.ask(Op{Kind: Fetch, Key: c.key})
	switch r.Status {
	case Missing:
		return false
	case Hit:
	default:
		c.fail(r)
		return true
	}
	log, changed := c.shorter(r.Data, tokens)
	if c.answered {
		return true
	}
	if log == nil || !r.swappable() {
		c.packed, c.cas = true, r.CAS
		return false
	}
	r = c.ask(c.swap(c.key, log, r))
	if r.Status == Failed {
		c.fail(r)
		return true
	}
	c.count(r)
	if changed && r.Status == Stored {
		c.say("STORED")
		return true
	}
	return false
}

// shorter returns a log that can take the place of log, or none. Preferred is
// one to which the change has been made already, as removing a member must
// work in a set that has no room for another token; for that it may be as long
// as log is.
func (c *Call) shorter(log, tokens []byte) (short []byte, changed bool) {
	if !c.read(c.key, slices.Concat(log, []byte{' '}, tokens)) {
		return nil, false
	}
	if short = c.set.AppendLog([]byte{}); len(short) <= len(log) {
		return short, true
	}
	c.set.Read(log)
	if short = c.set.AppendLog(short[:0]); len(short) < len(log) {
		return short, false
	}
	return nil, false
}

// isFull tells the client that the set is full, if it is still the one that
// could not be made shorter. Appending to that one has failed since it was
// read; what had failed before may have been appending to another, or to none.
func (c *Call) isFull() bool {
	r := c.ask(Op{Kind: Probe, Key: c.key})
	switch {
	case r.Status == Failed:
		c.fail(r)
		return true
	case r.Status != Hit || r.CAS != c.cas:
		return false
	}
	c.sayf("SERVER_ERROR %s is full: it holds %d members, as many as its upstream's item size limit allows; remove some, or spread them over several keys", c.key, c.set.Live())
	return true
}
