package upstream

import "github.com/memverbs/memverbs/protocol"

// What memcached needs of the longest item that it takes, in bytes, beside key and
// value: its header, the zero behind the key and the line end behind the value; the
// CAS, if it keeps one; the client's flags, if they are not 0.
const (
	itemHeader = 48 + 1 + 2
	itemCAS    = 8
	itemFlags  = 4
)

// surelyFits is the length, in bytes, of values that fit into an item of any
// upstream: the smallest limit that memcached can be given is 1 kB.
const surelyFits = 512

// Outgrows reports whether u can't take the value that req brings. To send it would
// be in vain.
func (u *Upstream) Outgrows(req *protocol.Request) bool {
	if len(req.Data) <= surelyFits || u.limit == 0 {
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

// ItemLimit returns the size, in bytes, of the longest item that may be put under key: one
// that u takes, and with a value no longer than is taken back. It is 0 if it is not known
// what u takes.
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
