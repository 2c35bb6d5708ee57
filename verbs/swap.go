package verbs

// Swap returns the operation that replaces the item that r read by another value and
// keeps its flags. The new one expires at exptime.
func (c *Call) Swap(key, value []byte, r Reply, exptime int64) Op {
	return Op{Kind: Swap, Key: key, Data: value, Flags: r.Flags, Exptime: exptime, CAS: r.CAS, Epoch: r.Epoch}
}

// Count adds a compaction to the account; r is the reply to its swap.
func (c *Call) Count(r Reply) {
	c.Tried++
	if r.Status == Stored {
		c.Won++
	}
}

// Swappable reports whether the item that r read can be replaced by a Swap. A server
// configured without CAS reports 0 for it. An item that expires within a second can't
// keep its time to live, since 0 would mean for ever.
func (r *Reply) Swappable() bool { return r.CAS != 0 && r.TTL != 0 }

// LongestRelative is the longest time to live, in seconds, that memcached accepts as a
// relative time.
const LongestRelative = 30 * 24 * 60 * 60

// TTL converts memcached's exptime to a time to live in seconds: 0 means for ever, and -1 that it
// has expired. now is in seconds since 1970.
func TTL(exptime, now int64) int64 {
	if exptime > LongestRelative {
		exptime -= now
		if exptime == 0 {
			return -1
		}
	}
	return max(exptime, -1)
}

// Exptime converts a time to live in seconds to memcached's exptime. now is in
// milliseconds. It is relative if possible, so that the clocks need not agree.
func Exptime(ttl, now int64) int64 {
	if ttl > LongestRelative {
		return now/1000 + ttl
	}
	return ttl
}
