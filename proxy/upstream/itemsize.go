package upstream

import "github.com/memverbs/memverbs/protocol"

// What an item of memcached takes besides key and value, in bytes: the header, a zero
// after the key and the line end after the value; the CAS, if memcached stores one; the
// client's flags, if they are not 0.
const (
	itemHeader = 48 + 1 + 2
	itemCAS    = 8
	itemFlags  = 4
)

// surelyFits is the length, in bytes, of values that fit an item of any upstream: the
// smallest size limit that memcached can be configured with is 1 kB.
const surelyFits = 512

// Outgrows reports whether the value of req is longer than Env.MaxItemSize, or exceeds u's size
// limit, so that u would refuse it.
func (u *Upstream) Outgrows(req *protocol.Request) bool {
	switch {
	case len(req.Data) <= surelyFits:
		return false
	case len(req.Data) > u.env.MaxItemSize:
		return true
	case u.limit == 0:
		return false
	}
	size := itemHeader + len(req.Key) + len(req.Data)
	if u.keepsCAS {
		size += itemCAS
	}
	if hasClientFlags(req) {
		size += itemFlags
	}
	return size > u.limit
}

// compareLimit warns, on one loop, if u's size limit differs from Env.MaxItemSize, which few operators
// intend.
func (u *Upstream) compareLimit() {
	if u.limit == 0 || u.Remote.limit.Swap(int64(u.limit)) == int64(u.limit) {
		return
	}
	warn := func(text string) {
		u.Remote.health.log.Warn(text, "item_size_max", u.limit, "max-item-size", u.env.MaxItemSize)
	}
	switch {
	case u.limit < u.env.MaxItemSize:
		warn("upstream stores no values as long as max-item-size: they are refused, as too large; give memcached as much by its -I, or lower max-item-size")
	case u.limit > u.env.MaxItemSize:
		warn("upstream stores longer values than max-item-size: those are refused, also in replies if others have stored them; raise max-item-size to memcached's -I, or lower that")
	}
}

// ItemLimit returns the size, in bytes, of the largest item that may be stored under key:
// u accepts it, and its value is not longer than Env.MaxItemSize, so that it can be read
// again. It is 0 if u's limit is unknown.
func (u *Upstream) ItemLimit(key []byte) int {
	longest := itemHeader + itemCAS + itemFlags + len(key) + u.env.MaxItemSize
	return min(u.limit, longest)
}

// hasClientFlags reports whether req stores flags that are not 0.
func hasClientFlags(req *protocol.Request) bool {
	for flag := range req.MetaFlags() {
		if flag[0] == 'F' {
			n, _ := protocol.ParseUint(flag[1:])
			return n != 0
		}
	}
	return req.Flags != 0
}
