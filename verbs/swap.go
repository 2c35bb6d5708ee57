package verbs

// Swap returns the operation that replaces what r read by another value, and
// keeps its flags and its time to live.
func (c *Call) Swap(key, value []byte, r Reply) Op {
	ttl := Exptime(max(r.TTL, 0), c.Env.Now())
	return Op{Kind: Swap, Key: key, Data: value, Flags: r.Flags, Exptime: ttl, CAS: r.CAS, Epoch: r.Epoch}
}

// Count enters a rewriting in the account.
func (c *Call) Count(r Reply) {
	c.Tried++
	if r.Status == Stored {
		c.Won++
	}
}

// SwapAll carries out swaps, each of which is let go if it fails.
func (c *Call) SwapAll(swaps []Op) {
	if len(swaps) == 0 {
		return
	}
	for _, r := range c.AskAll(swaps) {
		c.Count(r)
	}
}

// Swappable reports whether a Swap of what r read can do what it should. A
// server that was told to keep no CAS gives 0 for one. An item that expires
// within the second cannot keep its time to live, as 0 means for ever.
func (r *Reply) Swappable() bool { return r.CAS != 0 && r.TTL != 0 }

// longestRelative is the longest time to live, in seconds, that memcached
// takes for a relative one.
const longestRelative = 30 * 24 * 60 * 60

// Exptime returns a time to live in seconds as memcached takes it. A relative
// time needs no clocks to agree, so that is what is sent if memcached takes it.
func Exptime(ttl, now int64) int64 {
	if ttl > longestRelative {
		return now/1000 + ttl
	}
	return ttl
}
