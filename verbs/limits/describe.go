package limits

import "github.com/memverbs/memverbs/verbs"

// Description says what the counters of a limit hold.
type Description struct {
	Count    uint64 // how many are allowed in a window
	Counted  uint64 // how many were counted, and are not free again
	Left     uint64 // how many are free now
	NextFree int64  // in how many milliseconds one is free, 0 for now
	AllFree  int64  // in how many milliseconds all are free, if nothing more is counted
	Counters int    // how many counters there are; if none, there is nothing to tell
	Bytes    int    // of these counters
	TTL      int64  // seconds until the last of them expires, -1 for never
}

// Describe reads the counters of a limit, given a call with its key and the words <count> <seconds>. It counts nothing. It
// returns false if it has answered with an error.
func Describe(of *verbs.Call) (d Description, ok bool) {
	c := callOf(of)
	now := c.Env.Now()
	part := c.window.part(now)
	read := reading{window: c.window, first: part - parts}
	c.Buf = c.Buf[:0]
	c.Ops = c.fetches(c.Ops[:0], part-parts, part+2)
	c.Ops = c.formerFetches(c.Ops, part-parts, part+2)
	for i := range c.Ops {
		c.Ops[i].Brief = false // its time to live is told
	}
	replies := c.AskAll(c.Ops)
	if failure := c.takeAll(&read, replies); failure != "" {
		c.Fail(verbs.Reply{Err: failure})
		return d, false
	}
	for i := range replies {
		d.add(&replies[i])
	}
	d.Count, d.Counted = c.asked.count, read.total()
	d.Left = d.Count - min(d.Counted, d.Count)
	d.AllFree = max(read.free(d.Count, d.Count)-now, 0)
	if d.Left == 0 {
		d.NextFree = max(read.free(1, d.Count)-now, 1)
	}
	return d, true
}

// add adds the counter, if there is one, that a reply tells of.
func (d *Description) add(r *verbs.Reply) {
	switch {
	case r.Status != verbs.Hit:
		return
	case d.Counters == 0 || r.TTL < 0:
		d.TTL = r.TTL
	case d.TTL >= 0:
		d.TTL = max(d.TTL, r.TTL)
	}
	d.Counters++
	d.Bytes += len(r.Data)
}
