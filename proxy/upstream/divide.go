package upstream

import "sort"

// Divide implements [transport.Divider]. A record towards a memcached has whole requests, or a part of
// a single one that is longer. Versions up to 1.6.38 take the rest of a value out of a record and
// then wait for the socket, although the record has another request: they would answer it only when
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
	case beyond == first: // it is longer
		return most
	case first == 0 || ends(first-1) < 0: // start may be in the middle of it
		return ends(first)
	}
	return ends(beyond - 1)
}
