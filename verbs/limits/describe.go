package limits

import "github.com/memverbs/memverbs/verbs"

// Description says what the counters of a limit hold.
type Description struct {
	Count    uint64 // how many are allowed in a window
	Counted  uint64 // how many were counted, and are not free again
	Left     uint64 // how many are free now
	NextFree int64  // in how many milliseconds one is free, 0 for now
	AllFree  int64  // in how many milliseconds all are free, if nothing more is counted

	verbs.Extent // of the counters; if there are none, there is nothing to tell
}

// Describe reads the counters of a limit, given a call with its key and the words <count> <seconds>. It counts nothing. It
// returns false if it has answered with an error.
func Describe(of *verbs.Call) (d Description, ok bool) {
	c := callOf(of)
	now := c.Env.Now()
	read, replies, failure := c.read(now, false)
	if failure != "" {
		c.Fail(verbs.Reply{Err: failure})
		return d, false
	}
	for i := range replies {
		d.Add(&replies[i])
	}
	d.Count, d.Counted = c.asked.count, read.total()
	d.Left = d.Count - min(d.Counted, d.Count)
	d.AllFree = max(read.free(d.Count, d.Count)-now, 0)
	if d.Left == 0 {
		d.NextFree = max(read.free(1, d.Count)-now, 1)
	}
	return d, true
}
