package upstream

import "sort"

// Divide implements [transport.Divider]. A record to memcached contains whole requests, or a part of a
// single longer one. Otherwise versions up to 1.6.38 hang: they read the rest of a value from a record
// and then wait for the socket, although the record has another request, which they answer only when
// more arrives.
func (c *Connection) Divide(from, most int) int {
	start := c.Written() + Position(from)
	ends := func(i int) int { return int(int32(c.pending.at(i).end - start)) } // bytes from start to the end of a request
	n := c.pending.len()
	first := sort.Search(n, func(i int) bool { return ends(i) > 0 }) // the request at start
	beyond := first + sort.Search(n-first, func(i int) bool { return ends(first+i) > most })
	switch {
	case first == n:
		return most
	case beyond == first: // the first request is longer than most
		return most
	case first == 0 || ends(first-1) < 0: // start may be in the middle of the first request
		return ends(first)
	}
	return ends(beyond - 1)
}
